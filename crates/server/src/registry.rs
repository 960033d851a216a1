//! The registry of routes, each with its access rule.
//!
//! A route cannot be added without its access rule, and the gate rejects every path that is not registered. The OpenAPI
//! document is built from the same registrations.

use crate::app::App;
use crate::daily::Writes;
use crate::role::Allow;
use axum::http::Method;
use std::collections::BTreeMap;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// The access rules of all routes: who may use which method of which path.
#[derive(Clone, Debug, Default)]
pub struct Access(BTreeMap<String, Vec<(Method, Allow, Writes)>>);

impl Access {
    /// Returns the access rule of each method of a path, or `None` if the path is not registered.
    pub fn path(&self, path: &str) -> Option<&[(Method, Allow, Writes)]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// Returns every route with its access rule, for a test that tries every route with every role.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Method, Allow)> {
        self.0.iter().flat_map(|(path, methods)| methods.iter().map(move |(m, a, _)| (path.as_str(), m, *a)))
    }
}

pub struct Registry {
    router: OpenApiRouter<App>,
    access: Access,
}

impl Registry {
    pub fn new(document: utoipa::openapi::OpenApi) -> Registry {
        Registry { router: OpenApiRouter::with_openapi(document), access: Access::default() }
    }

    /// Adds the read-only handlers of one path, all with the same access rule.
    pub fn add(self, allow: Allow, routes: UtoipaMethodRouter<App>) -> Registry {
        self.put(allow, None, routes)
    }

    /// Adds the handlers of one path, all with the same access rule.
    ///
    /// Every request to them except GET counts as a write of the kind `writes` against the daily limit.
    pub fn writing(self, allow: Allow, writes: Writes, routes: UtoipaMethodRouter<App>) -> Registry {
        self.put(allow, Some(writes), routes)
    }

    fn put(mut self, allow: Allow, writes: Option<Writes>, routes: UtoipaMethodRouter<App>) -> Registry {
        let (schemas, mut paths, methods) = routes;
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations(item) {
                let writes = writes.filter(|_| method != Method::GET);
                annotate(operation, allow, writes);
                let writes = writes.unwrap_or(Writes::Nothing);
                self.access.0.entry(path.clone()).or_default().push((method, allow, writes));
            }
        }
        self.router = self.router.routes((schemas, paths, methods));
        self
    }

    pub fn finish(self) -> (axum::Router<App>, utoipa::openapi::OpenApi, Access) {
        let (router, document) = self.router.split_for_parts();
        (router, document, self.access)
    }
}

fn operations(item: &mut PathItem) -> Vec<(Method, &mut Operation)> {
    let all = [
        (Method::GET, &mut item.get),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::DELETE, &mut item.delete),
        (Method::PATCH, &mut item.patch),
    ];
    all.into_iter().filter_map(|(method, operation)| operation.as_mut().map(|o| (method, o))).collect()
}

/// Adds the roles that may use a route, and the kind of its writes, to the route's OpenAPI operation.
fn annotate(operation: &mut Operation, allow: Allow, writes: Option<Writes>) {
    let who = match allow {
        Allow::Anyone => vec!["anyone"],
        Allow::SignedIn => vec!["signed-in"],
        Allow::Roles(roles) => roles.iter().map(|role| role.name()).collect(),
    };
    let mut said = ExtensionsBuilder::new().add("x-roles", who);
    if let Some(writes) = writes {
        said = said.add("x-writes", writes.word());
    }
    operation.extensions = Some(said.build());
    // Any route can return these errors of the gate, the limits and the extractors: not signed in, wrong role, too many
    // requests, malformed, closed.
    let error = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let refused = ResponseBuilder::new().description("refused").content("application/json", error).build();
    operation.responses.responses.entry("default".into()).or_insert(RefOr::T(refused));
}
