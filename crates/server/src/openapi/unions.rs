//! Rewrites schemas into forms that client generators can read.
//!
//! The `allOf` parts of an object are merged into one object schema. Each variant of a tagged union gets a schema
//! of its own, named after the union and the variant's tag.

use serde_json::{Map, Value, json};

type Schemas = Map<String, Value>;

/// A tagged union: the name of the tag, and each value of the tag with the schema of its variant.
struct Union {
    tag: String,
    kinds: Vec<(String, Value)>,
}

/// Rewrites all schemas into forms that client generators can read.
pub fn expand(schemas: &mut Schemas) {
    let known = schemas.clone();
    for (name, schema) in &known {
        if let Some(union) = union_of(&known, schema) {
            name_kinds(schemas, name, schema, union);
        } else if schema["allOf"].is_array()
            && let Some(mut whole) = object_of(&known, schema)
        {
            describe_as(&mut whole, schema);
            schemas.insert(name.clone(), whole);
        }
    }
}

/// Makes each page of a list refer to its item type by name, where the type has a schema of its own.
pub fn name_items(schemas: &mut Schemas) {
    let pages = schemas.keys().filter_map(|name| name.strip_prefix("Page_").map(str::to_owned));
    for of in pages.collect::<Vec<_>>() {
        if schemas.contains_key(&of) {
            schemas[&format!("Page_{of}")]["properties"]["items"]["items"] = named(&of);
        }
    }
}

/// Returns the schemas that `from` references, directly or through other schemas.
pub fn used(schemas: &Schemas, from: &Value) -> Schemas {
    let mut taken = Schemas::new();
    let mut wanted = references(from);
    while let Some(name) = wanted.pop() {
        if let (Some(schema), false) = (schemas.get(&name), taken.contains_key(&name)) {
            wanted.extend(references(schema));
            taken.insert(name, schema.clone());
        }
    }
    taken
}

fn references(value: &Value) -> Vec<String> {
    let text = value.to_string();
    let found = text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    found.map(str::to_owned).collect()
}

/// Returns a reference to a named schema.
pub fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn resolved<'s>(known: &'s Schemas, schema: &'s Value) -> &'s Value {
    let name = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next());
    name.and_then(|name| known.get(name)).map_or(schema, |found| resolved(known, found))
}

/// Returns the schema of the object that `schema` describes, with its `allOf` parts merged.
///
/// Returns `None` if `schema` does not describe an object.
fn object_of(known: &Schemas, schema: &Value) -> Option<Value> {
    let schema = resolved(known, schema);
    let Some(parts) = schema["allOf"].as_array() else {
        return (schema["type"] == "object").then(|| schema.clone());
    };
    let parts: Option<Vec<Value>> = parts.iter().map(|part| object_of(known, part)).collect();
    let mut whole = parts?.into_iter().reduce(merged)?;
    describe_as(&mut whole, schema);
    Some(whole)
}

/// Merges the fields of two object schemas; a field of `other` replaces the field of the same name.
fn merged(mut one: Value, other: Value) -> Value {
    for (name, field) in other["properties"].as_object().into_iter().flatten() {
        one["properties"][name] = field.clone();
    }
    let more = other["required"].as_array().cloned().unwrap_or_default();
    match one["required"].as_array_mut() {
        Some(required) => required.extend(more),
        None if more.is_empty() => {}
        None => one["required"] = more.into(),
    }
    if one["description"].is_null() {
        describe_as(&mut one, &other);
    }
    if !other["additionalProperties"].is_null() {
        one["additionalProperties"] = other["additionalProperties"].clone();
    }
    one
}

fn describe_as(object: &mut Value, like: &Value) {
    if let (Some(object), Some(about)) = (object.as_object_mut(), like.get("description")) {
        object.insert("description".to_owned(), about.clone());
    }
}

/// Returns the tagged union that a schema describes, or `None` if the schema describes none.
///
/// The schema of a tagged union is a list of variants, or such a list combined with fields that all variants
/// share.
fn union_of(known: &Schemas, schema: &Value) -> Option<Union> {
    let schema = resolved(known, schema);
    if let Some(kinds) = schema["oneOf"].as_array() {
        let kinds: Vec<Value> = kinds.iter().map(|kind| object_of(known, kind)).collect::<Option<_>>()?;
        let tag = tag_of(&kinds)?;
        let kinds = kinds.into_iter().map(|kind| (word_of(&kind, &tag), kind)).collect();
        return Some(Union { tag, kinds });
    }
    let parts = schema["allOf"].as_array()?;
    let mut unions = parts.iter().filter_map(|part| union_of(known, part));
    let (union, None) = (unions.next()?, unions.next()) else { return None };
    let shared: Vec<Value> = parts.iter().filter_map(|part| object_of(known, part)).collect();
    let with_shared = |(word, kind)| (word, shared.iter().cloned().fold(kind, merged));
    Some(Union { tag: union.tag, kinds: union.kinds.into_iter().map(with_shared).collect() })
}

/// Returns the name of the field that has one fixed value in each variant, or `None` if there is no such field.
fn tag_of(kinds: &[Value]) -> Option<String> {
    let fields = kinds.first()?["properties"].as_object()?;
    let mut names = fields.keys().filter(|name| kinds.iter().all(|kind| !word_of(kind, name).is_empty()));
    names.next().cloned()
}

fn word_of(kind: &Value, tag: &str) -> String {
    match kind["properties"][tag]["enum"].as_array().map(Vec::as_slice) {
        Some([Value::String(word)]) => word.clone(),
        _ => String::new(),
    }
}

fn name_kinds(schemas: &mut Schemas, name: &str, schema: &Value, Union { tag, kinds }: Union) {
    let (mut refs, mut mapping) = (Vec::new(), Map::new());
    for (word, mut kind) in kinds {
        let own = format!("{name}{}", title(&word));
        kind["properties"][&tag] =
            json!({ "type": "string", "const": word, "description": "Which variant this object is." });
        refs.push(named(&own));
        mapping.insert(word, json!(format!("#/components/schemas/{own}")));
        schemas.insert(own, kind);
    }
    let mut all = json!({ "oneOf": refs, "discriminator": { "propertyName": tag, "mapping": mapping } });
    describe_as(&mut all, schema);
    schemas.insert(name.to_owned(), all);
}

/// Converts a word of the API to a schema name: `no-more-bets` becomes `NoMoreBets`.
pub fn title(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(letters).collect::<String>()
    };
    word.split(['-', '_', ' ']).map(capital).collect()
}
