//! Generates the JSON Schema of a document from its Rust type; `docs/schema` holds the schema of every command.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Returns the JSON Schema of the document type `D` as text.
pub fn page<D: ToSchema>(title: &str) -> String {
    let mut page = value(&D::schema());
    let mut parts = Vec::new();
    D::schemas(&mut parts);
    let defs: Map<String, Value> = parts.iter().map(|(name, schema)| (name.clone(), value(schema))).collect();
    page["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    page["title"] = title.into();
    page["$defs"] = defs.into();
    let mut text = Vec::new();
    let indent = serde_json::ser::PrettyFormatter::with_indent(b" ");
    // a schema is made of texts and maps, which can always be written
    let _ = page.serialize(&mut serde_json::Serializer::with_formatter(&mut text, indent));
    text.push(b'\n');
    // the places that OpenAPI refers to are in this file
    String::from_utf8_lossy(&text).replace("#/components/schemas/", "#/$defs/")
}

fn value(schema: &impl Serialize) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}
