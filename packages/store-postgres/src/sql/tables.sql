-- The first migration: tables. Texts that repeat are in "names", and whatever is the same for most calls of a route is one name, so that a
-- record needs about 190 bytes with its index. Counts that are 0 are null, which needs no space; the others are numeric, which needs five
-- bytes for most of them and is never too small.

create table names (
  id integer generated always as identity primary key,
  text text not null unique
);

create table key_revisions (latest bigint not null);
insert into key_revisions values (0);

create table keys (
  id text primary key,
  digest text not null unique,
  previous text,
  revision bigint not null unique,
  body jsonb not null
);
create index keys_previous on keys (previous) where previous is not null;

create table instances (id text primary key, until bigint not null);

create table slices (
  key text not null,
  period text not null,
  start bigint not null,
  instance text not null,
  amount bigint not null,
  primary key (key, period, start, instance)
);
create index slices_instance on slices (instance);

create table balances (
  key text not null,
  period text not null,
  start bigint not null,
  spent bigint not null,
  primary key (key, period, start)
);

create table buckets (
  key text primary key,
  requests double precision not null,
  tokens double precision not null,
  at double precision not null
);

create table open_calls (
  id uuid primary key,
  at bigint not null,
  estimate bigint not null,
  who integer not null,
  route integer not null,
  asked integer not null,
  conversation bytea,
  key text not null,
  instance text not null,
  budgets jsonb not null
);
create index open_calls_key on open_calls (key);
create index open_calls_instance on open_calls (instance);

create table records (
  id uuid primary key,
  at bigint not null,
  cost bigint not null,
  input numeric,
  output numeric,
  cache_read numeric,
  cache_write_5m numeric,
  cache_write_1h numeric,
  reasoning numeric,
  ms numeric not null,
  first_byte numeric,
  who integer not null,
  route integer not null,
  asked integer not null,
  losses integer,
  attempts integer not null,
  status smallint not null,
  outcome smallint not null,
  estimated boolean not null,
  conversation bytea,
  item_names integer,
  items bytea
);

create table hours (
  hour bigint not null,
  who integer not null,
  route integer not null,
  calls bigint not null,
  failed bigint not null,
  estimated bigint not null,
  input bigint not null,
  output bigint not null,
  cache_read bigint not null,
  cache_write_5m bigint not null,
  cache_write_1h bigint not null,
  reasoning bigint not null,
  cost bigint not null,
  ms bigint not null,
  primary key (hour, who, route)
);

create table audit (id uuid primary key, at bigint not null, body jsonb not null);
create index audit_at on audit (at);

create table bodies (id uuid primary key, key text not null, until bigint not null, request text not null, answer text not null);
create index bodies_until on bodies (until);
