//! Finds the places in a source file that can be mutated: function results, operators, negations, match guards and
//! match arms. Code that the compiler evaluates (`const`) cannot be switched at run time and is skipped.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Pat, ReturnType, Type, UnOp};

/// A place, with its possible replacements.
pub struct Place {
    pub range: Range<usize>,
    pub how: How,
    /// The replacements, one mutant each.
    pub instead: Vec<String>,
    /// The line and the function, for display.
    pub line: usize,
    pub function: String,
}

pub enum How {
    /// The function returns at once; the range is empty, after its opening brace.
    Return,
    /// `L op R`, by the ranges of its operands.
    Compare(Range<usize>, &'static str, Range<usize>),
    Compute(Range<usize>, &'static str, Range<usize>),
    Assign(Range<usize>, &'static str, Range<usize>),
    And(Range<usize>, Range<usize>),
    Or(Range<usize>, Range<usize>),
    Not,
    Guard,
    /// The arm is never taken; the range is empty, after its pattern.
    Arm,
}

pub fn places(source: &str) -> syn::Result<Vec<Place>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { found: Vec::new(), names: Vec::new(), fixed: false };
    finder.visit_file(&file);
    Ok(finder.found)
}

struct Finder {
    found: Vec<Place>,
    names: Vec<String>,
    /// Whether the visitor is in code that the compiler evaluates.
    fixed: bool,
}

fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || path.is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

/// Returns whether the expression is an `if let … && …` condition, whose parts are not plain values.
fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            binds(&binary.left) || binds(&binary.right)
        }
        _ => false,
    }
}

/// Returns the values that a function can return instead of its result.
fn values(output: &ReturnType) -> Vec<String> {
    let ReturnType::Type(_, of) = output else { return vec![String::new()] };
    let words: Vec<&str> = match &**of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![""],
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => vec!["\"\"", "\"xyzzy\""],
            Type::Slice(_) => vec!["&[]"],
            _ => vec![],
        },
        Type::Path(path) => match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("bool") => vec!["true", "false"],
            Some(
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
                | "isize",
            ) => {
                vec!["0", "1"]
            }
            Some("Option") => vec!["None"],
            Some("Result") => vec!["Ok(Default::default())"],
            Some("String") => vec!["String::new()", "\"xyzzy\".to_string()"],
            Some("Vec") => vec!["Vec::new()"],
            _ => vec!["Default::default()"],
        },
        _ => vec![],
    };
    words.into_iter().map(str::to_string).collect()
}

fn operator(op: &BinOp) -> Option<(&'static str, &'static [&'static str])> {
    Some(match op {
        BinOp::Eq(_) => ("==", &["!="]),
        BinOp::Ne(_) => ("!=", &["=="]),
        BinOp::Lt(_) => ("<", &["<=", ">", "=="]),
        BinOp::Le(_) => ("<=", &["<", ">"]),
        BinOp::Gt(_) => (">", &[">=", "<", "=="]),
        BinOp::Ge(_) => (">=", &[">", "<"]),
        BinOp::Add(_) => ("+", &["-", "*"]),
        BinOp::Sub(_) => ("-", &["+", "/"]),
        BinOp::Mul(_) => ("*", &["+", "/"]),
        BinOp::Div(_) => ("/", &["*", "%"]),
        BinOp::Rem(_) => ("%", &["/", "+"]),
        BinOp::AddAssign(_) => ("+=", &["-=", "*="]),
        BinOp::SubAssign(_) => ("-=", &["+=", "/="]),
        BinOp::BitOrAssign(_) => ("|=", &["&=", "^="]),
        BinOp::BitAndAssign(_) => ("&=", &["|=", "^="]),
        _ => return None,
    })
}

impl Finder {
    fn place(&mut self, range: Range<usize>, span: Span, how: How, instead: Vec<String>) {
        if !self.fixed && !instead.is_empty() {
            let (line, function) = (span.start().line, self.names.join("::"));
            self.found.push(Place { range, how, instead, line, function });
        }
    }

    fn function(&mut self, attributes: &[Attribute], signature: &syn::Signature, body: &syn::Block) {
        if is_test(attributes) {
            return;
        }
        self.names.push(signature.ident.to_string());
        let outside = std::mem::replace(&mut self.fixed, signature.constness.is_some());
        let open = body.brace_token.span.open();
        let behind = open.byte_range().end;
        if !body.stmts.is_empty() {
            self.place(behind..behind, open, How::Return, values(&signature.output));
        }
        visit::visit_block(self, body);
        self.fixed = outside;
        self.names.pop();
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        // text for programmers only
        let debug = item
            .trait_
            .as_ref()
            .is_some_and(|(_, path, _)| path.segments.last().is_some_and(|last| last.ident == "Debug"));
        if debug || is_test(&item.attrs) {
            return;
        }
        let name = match &*item.self_ty {
            Type::Path(path) => {
                path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
            }
            _ => String::new(),
        };
        self.names.push(name);
        visit::visit_item_impl(self, item);
        self.names.pop();
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.attrs, &item.sig, body);
        }
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        let outside = std::mem::replace(&mut self.fixed, true);
        visit::visit_expr(self, &item.expr);
        self.fixed = outside;
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        let outside = std::mem::replace(&mut self.fixed, true);
        visit::visit_expr(self, &item.expr);
        self.fixed = outside;
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        let outside = std::mem::replace(&mut self.fixed, true);
        self.names.push(item.ident.to_string());
        visit::visit_expr(self, &item.expr);
        self.names.pop();
        self.fixed = outside;
    }

    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_type(&mut self, _: &'a Type) {}

    fn visit_pat(&mut self, _: &'a Pat) {}

    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}

    /// A closure in a constant is ordinary code.
    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        let outside = std::mem::replace(&mut self.fixed, false);
        self.visit_expr(&closure.body);
        self.fixed = outside;
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_)) {
            self.place(range(unary), unary.span(), How::Not, vec!["no negation".to_string()]);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        let (left, right) = (range(&binary.left), range(&binary.right));
        let span = binary.op.span();
        match &binary.op {
            BinOp::And(_) if !binds(&binary.left) && !binds(&binary.right) => {
                self.place(range(binary), span, How::And(left, right), vec!["||".to_string()]);
            }
            BinOp::Or(_) => self.place(range(binary), span, How::Or(left, right), vec!["&&".to_string()]),
            op => {
                if let Some((was, instead)) = operator(op) {
                    let how = match was {
                        "==" | "!=" | "<" | "<=" | ">" | ">=" => How::Compare(left, was, right),
                        "+" | "-" | "*" | "/" | "%" => How::Compute(left, was, right),
                        _ => How::Assign(left, was, right),
                    };
                    self.place(range(binary), span, how, instead.iter().map(|op| op.to_string()).collect());
                }
            }
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_match(&mut self, of: &'a syn::ExprMatch) {
        self.visit_expr(&of.expr);
        let otherwise =
            of.arms.last().is_some_and(|last| matches!(last.pat, Pat::Wild(_)) && last.guard.is_none());
        for (at, arm) in of.arms.iter().enumerate() {
            let last = at + 1 == of.arms.len();
            match &arm.guard {
                Some((_, guard)) if !binds(guard) => {
                    let instead = vec!["true".to_string(), "false".to_string()];
                    self.place(range(&**guard), guard.span(), How::Guard, instead);
                }
                None if otherwise && !last => {
                    let behind = range(&arm.pat).end;
                    self.place(behind..behind, arm.pat.span(), How::Arm, vec!["no such arm".to_string()]);
                }
                _ => {}
            }
            if let Some((_, guard)) = &arm.guard {
                self.visit_expr(guard);
            }
            self.visit_expr(&arm.body);
        }
    }
}
