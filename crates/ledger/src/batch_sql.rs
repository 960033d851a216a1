//! Rewrites an SQL statement for one row of parameters as a statement for a whole batch of rows.
//!
//! The house's SQL is written for one row of parameters. PostgreSQL gets all rows at once, each column as an
//! array, because in PostgreSQL a statement costs far more than a row.

use tokio_postgres::types::Type;

/// Returns the batch form of a statement: one statement that takes many rows of parameters. `None` if it has none.
///
/// Each parameter of the batch form is an array with one element per row. Each result row of a query starts with
/// the number of its parameter row, from 1. A statement that updates on conflict must not get the same key twice.
pub(crate) fn for_all(sql: &str, types: &[Type]) -> Option<String> {
    let arrays: Vec<String> =
        (1..).zip(types).map(|(n, ty)| Some(format!("${n}::{}[]", array_of(ty)?))).collect::<Option<_>>()?;
    let (arrays, names) = (arrays.join(", "), (1..=types.len()).map(|n| format!("p{n}")).collect::<Vec<_>>());
    if arrays.is_empty() {
        return None;
    }
    let names = names.join(", ");
    if sql.starts_with("SELECT ")
        && !["ORDER BY", "LIMIT", "FOR UPDATE"].iter().any(|word| sql.contains(word))
    {
        // OFFSET 0 keeps one index scan per parameter row, even without statistics for a new table.
        return Some(format!(
            "SELECT given.nth, found.* FROM unnest({arrays}) WITH ORDINALITY AS given({names}, nth) \
             CROSS JOIN LATERAL ({} OFFSET 0) AS found ORDER BY given.nth",
            of_the_given(sql, types.len())
        ));
    }
    let (into, rest) = sql.strip_prefix("INSERT INTO ")?.split_once(" VALUES (")?;
    let (values, rest) = rest.split_once(')')?;
    let values = of_the_given(values, types.len());
    Some(format!("INSERT INTO {into} SELECT {values} FROM unnest({arrays}) AS given({names}){rest}"))
}

fn array_of(ty: &Type) -> Option<&'static str> {
    [(Type::INT8, "BIGINT"), (Type::TEXT, "TEXT"), (Type::BYTEA, "BYTEA")]
        .into_iter()
        .find_map(|(known, name)| (*ty == known).then_some(name))
}

/// Replaces the parameters in `sql` with the columns `p1`, `p2` and so on of the relation `given`.
///
/// Starts with the last parameter, because `$1` is a prefix of `$10`.
fn of_the_given(sql: &str, parameters: usize) -> String {
    (1..=parameters)
        .rev()
        .fold(sql.to_owned(), |sql, n| sql.replace(&format!("${n}"), &format!("given.p{n}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_selects_from_what_is_given() {
        let sql = "INSERT INTO head (one, seq, hash) VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE SET seq = \
            excluded.seq";
        assert_eq!(
            for_all(sql, &[Type::INT8, Type::BYTEA]).as_deref(),
            Some(
                "INSERT INTO head (one, seq, hash) SELECT 1, given.p1, given.p2 FROM unnest($1::BIGINT[], $2::BYTEA[]) \
                 AS given(p1, p2) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq"
            )
        );
    }

    #[test]
    fn the_tenth_parameter_is_not_the_first_with_a_zero() {
        let places: Vec<String> = (1..=10).map(|n| format!("${n}")).collect();
        let sql = format!("INSERT INTO t (a) VALUES ({})", places.join(", "));
        let made = for_all(&sql, &vec![Type::TEXT; 10]).expect("the statement can be batched");
        assert!(made.contains("given.p9, given.p10 FROM"), "{made}");
    }

    #[test]
    fn what_depends_on_its_own_row_is_said_row_by_row() {
        for sql in [
            "SELECT a FROM t WHERE b > $1 ORDER BY a LIMIT $2",
            "SELECT a FROM t WHERE b = $1 FOR UPDATE",
            "UPDATE t SET a = $1 WHERE b = $2",
            "DELETE FROM t WHERE a = $1 AND b = $2",
            "INSERT INTO t (a) SELECT $1 FROM u WHERE b = $2",
        ] {
            assert_eq!(for_all(sql, &[Type::INT8, Type::INT8]), None, "{sql}");
        }
        assert_eq!(for_all("SELECT 1", &[]), None);
        assert_eq!(for_all("SELECT a FROM t WHERE b = $1", &[Type::BOOL]), None);
    }
}
