import { SUM_COLUMNS } from '@dragoman/accounts/store'
import { OUTCOMES } from './outcomes.ts'

const CUT = OUTCOMES.indexOf('cut')
const FAILED = ['failed', 'interrupted', 'cut'].map((outcome) => OUTCOMES.findIndex((each) => each === outcome))
const COUNTS = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'reasoning']
const RECORD = [
  'at',
  'cost',
  ...COUNTS,
  'who',
  'route',
  'asked',
  'losses',
  'ms',
  'first_byte',
  'attempts',
  'status',
  'outcome',
]
const ALL = [...RECORD, 'estimated', 'conversation', 'item_names', 'items']

/** What one record adds to the sums of its hour, times a sign. */
function sumsOf(table: string, sign: string): string {
  const counts = [...COUNTS, 'cost', 'ms'].map((name) => `${sign} coalesce(${table}.${name}, 0) as ${name}`)
  return `${table}.at - ${table}.at % 3600000 as hour, ${table}.who, ${table}.route, ${sign} 1 as calls,
      ${sign} (${table}.outcome in (${FAILED.join(', ')}))::int as failed, ${sign} ${table}.estimated::int as estimated,
      ${counts.join(', ')}`
}

/** Adds the sums of a query to those of their hours. */
function addToHours(query: string): string {
  return `insert into hours select hour, who, route, ${SUM_COLUMNS.map((name) => `sum(${name})`).join(', ')} from (${query}) changes
      group by hour, who, route
      on conflict (hour, who, route) do update set ${SUM_COLUMNS.map((name) => `${name} = hours.${name} + excluded.${name}`).join(', ')}`
}

/** Adds the costs of a query to the spending of the budgets that pay for them. */
function addToBalances(query: string): string {
  return `insert into balances
      select key, budget->>'period', (budget->>'start')::bigint, sum(cost)
      from (${query}) changes cross join jsonb_array_elements(budgets) budget
      group by 1, 2, 3
      on conflict (key, period, start) do update set spent = balances.spent + excluded.spent`
}

/** The functions that write records, with the sums and balances that contain them. */
export const SETTLING = `
create function settle(batch jsonb, ids integer[], me text, now_in integer) returns integer[] language sql as $$
  with given as (
    select * from jsonb_to_recordset(batch->'settlements')
      each(place integer, round integer, id uuid, key text, record jsonb, budgets jsonb)
    where each.round = now_in
  ),
  before as (select records.* from records join given on given.id = records.id),
  gone as (delete from open_calls using given where open_calls.id = given.id and open_calls.instance = me returning open_calls.id),
  fresh as (
    select given.id, given.key, given.budgets, given.place, each.at, each.cost, ${COUNTS.map((name) => `each.${name}`).join(', ')},
      ids[each.who] as who, ids[each.route] as route, ids[each.asked] as asked, ids[each.losses] as losses,
      each.ms, each.first_byte, each.attempts, each.status, each.outcome, each.estimated,
      decode(each.conversation, 'hex') as conversation, ids[each.item_names] as item_names, decode(each.items, 'hex') as items
    from given cross join jsonb_to_record(given.record) each(
      at bigint, cost bigint, ${COUNTS.map((name) => `${name} bigint`).join(', ')}, who integer, route integer, asked integer,
      losses integer, ms bigint, first_byte bigint, attempts integer, status smallint, outcome smallint, estimated boolean,
      conversation text, item_names integer, items text)
    where given.record is not null and not exists (select 1 from before where before.id = given.id and before.outcome <> ${CUT})
  ),
  replaced as (select given.key, given.budgets, given.place, before.* from given join before on before.id = given.id where before.outcome = ${CUT}),
  sums as (${addToHours(`select ${sumsOf('fresh', '+')} from fresh union all select ${sumsOf('replaced', '-')} from replaced`)}),
  spending as (${addToBalances('select key, budgets, cost from fresh union all select key, budgets, - cost from replaced')}),
  removed as (delete from records using given where records.id = given.id and given.record is null and records.outcome = ${CUT}),
  written as (
    insert into records (id, ${ALL.join(', ')}) select id, ${ALL.join(', ')} from fresh
    on conflict (id) do update set ${ALL.map((name) => `${name} = excluded.${name}`).join(', ')}
  )
  select coalesce(array_agg(place order by place), '{}') from given
  where exists (select 1 from fresh where fresh.place = given.place) or exists (select 1 from replaced where replaced.place = given.place)
    or (given.record is null and exists (select 1 from gone where gone.id = given.id)
        and not exists (select 1 from before where before.id = given.id))
$$;

create function correct_tokens(batch jsonb, effective integer[], moment bigint) returns void language plpgsql as $$
declare
  each record;
  bucket buckets;
begin
  for each in
    select * from jsonb_to_recordset(batch->'settlements') given(place integer, key text, limits jsonb, tokens double precision)
    where given.limits->>'tokens' is not null and given.place = any(effective) order by given.place
  loop
    bucket := drained(each.key, each.limits, moment);
    bucket.tokens := greatest(0, bucket.tokens + each.tokens);
    perform save_bucket(bucket);
  end loop;
end $$;

create function bury_one(given jsonb) returns jsonb language plpgsql set search_path from current as $$
declare
  lost text;
  closed integer;
begin
  select id into lost from instances where until <= now_ms(given) order by id limit 1 for update skip locked;
  if lost is null then
    return null;
  end if;
  perform lock_keys(array(select distinct key from open_calls where instance = lost union select distinct key from slices where instance = lost));
  with cut as (delete from open_calls where instance = lost returning *),
  fresh as (
    select cut.id, cut.key, cut.budgets, cut.at, cut.estimate as cost, ${COUNTS.map((name) => `null::bigint as ${name}`).join(', ')},
      cut.who, cut.route, cut.asked, 0 as ms, true as estimated, ${CUT} as outcome, cut.conversation
    from cut where not exists (select 1 from records where records.id = cut.id)
  ),
  sums as (${addToHours(`select ${sumsOf('fresh', '+')} from fresh`)}),
  spending as (${addToBalances('select key, budgets, cost from fresh')}),
  written as (
    insert into records (id, at, cost, who, route, asked, ms, attempts, status, outcome, estimated, conversation)
    select id, at, cost, who, route, asked, ms, 1, 0, outcome, estimated, conversation from fresh
  )
  select count(*) into closed from cut;
  delete from slices where instance = lost;
  delete from instances where id = lost;
  return jsonb_build_object('instance', lost, 'closed', closed);
end $$;
`
