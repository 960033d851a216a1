-- Once, as a superuser on the primary: the role and the database of the house. Give the role its password with psql's
-- \password, which sends the server no plain text. The first node makes the tables.
CREATE ROLE house LOGIN;
GRANT pg_read_all_stats TO house;                -- to see the standby
CREATE DATABASE house OWNER house;
\connect house
CREATE EXTENSION amcheck;                        -- for the audit, which looks at every index
GRANT EXECUTE ON FUNCTION bt_index_check(regclass, boolean) TO house;
