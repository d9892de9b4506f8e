-- The first migration: functions that write records, with the sums and balances that contain them. Outcomes are places in the list of
-- outcomes.ts: 1 is failed, 2 interrupted, 4 cut.

create function settle(batch jsonb, ids integer[], me text, now_in integer) returns integer[] language sql as $$
  with given as (
    select * from jsonb_to_recordset(batch->'settlements')
      each(place integer, round integer, id uuid, key text, record jsonb, budgets jsonb)
    where each.round = now_in
  ),
  before as (select records.* from records join given on given.id = records.id),
  gone as (delete from open_calls using given where open_calls.id = given.id and open_calls.instance = me returning open_calls.id),
  fresh as (
    select given.id, given.key, given.budgets, given.place, each.at, each.cost, each.input, each.output, each.cache_read,
      each.cache_write_5m, each.cache_write_1h, each.reasoning,
      ids[each.who] as who, ids[each.route] as route, ids[each.asked] as asked, ids[each.losses] as losses,
      each.ms, each.first_byte, each.attempts, each.status, each.outcome, each.estimated,
      decode(each.conversation, 'hex') as conversation, ids[each.item_names] as item_names, decode(each.items, 'hex') as items
    from given cross join jsonb_to_record(given.record) each(
      at bigint, cost bigint, input bigint, output bigint, cache_read bigint, cache_write_5m bigint, cache_write_1h bigint,
      reasoning bigint, who integer, route integer, asked integer,
      losses integer, ms bigint, first_byte bigint, attempts integer, status smallint, outcome smallint, estimated boolean,
      conversation text, item_names integer, items text)
    where given.record is not null and not exists (select 1 from before where before.id = given.id and before.outcome <> 4)
  ),
  replaced as (
    select given.key, given.budgets, given.place, before.*
    from given join before on before.id = given.id where before.outcome = 4
  ),
  sums as (
    insert into hours
      select hour, who, route, sum(calls), sum(failed), sum(estimated), sum(input), sum(output), sum(cache_read),
        sum(cache_write_5m), sum(cache_write_1h), sum(reasoning), sum(cost), sum(ms)
      from (
        select fresh.at - fresh.at % 3600000 as hour, fresh.who, fresh.route, + 1 as calls,
          + (fresh.outcome in (1, 2, 4))::int as failed, + fresh.estimated::int as estimated,
          + coalesce(fresh.input, 0) as input, + coalesce(fresh.output, 0) as output,
          + coalesce(fresh.cache_read, 0) as cache_read, + coalesce(fresh.cache_write_5m, 0) as cache_write_5m,
          + coalesce(fresh.cache_write_1h, 0) as cache_write_1h, + coalesce(fresh.reasoning, 0) as reasoning,
          + coalesce(fresh.cost, 0) as cost, + coalesce(fresh.ms, 0) as ms
        from fresh
        union all
        select replaced.at - replaced.at % 3600000 as hour, replaced.who, replaced.route, - 1 as calls,
          - (replaced.outcome in (1, 2, 4))::int as failed, - replaced.estimated::int as estimated,
          - coalesce(replaced.input, 0) as input, - coalesce(replaced.output, 0) as output,
          - coalesce(replaced.cache_read, 0) as cache_read, - coalesce(replaced.cache_write_5m, 0) as cache_write_5m,
          - coalesce(replaced.cache_write_1h, 0) as cache_write_1h, - coalesce(replaced.reasoning, 0) as reasoning,
          - coalesce(replaced.cost, 0) as cost, - coalesce(replaced.ms, 0) as ms
        from replaced
      ) changes
      group by hour, who, route
      on conflict (hour, who, route) do update set calls = hours.calls + excluded.calls,
        failed = hours.failed + excluded.failed, estimated = hours.estimated + excluded.estimated,
        input = hours.input + excluded.input, output = hours.output + excluded.output,
        cache_read = hours.cache_read + excluded.cache_read, cache_write_5m = hours.cache_write_5m + excluded.cache_write_5m,
        cache_write_1h = hours.cache_write_1h + excluded.cache_write_1h, reasoning = hours.reasoning + excluded.reasoning,
        cost = hours.cost + excluded.cost, ms = hours.ms + excluded.ms
  ),
  spending as (
    insert into balances
      select key, budget->>'period', (budget->>'start')::bigint, sum(cost)
      from (select key, budgets, cost from fresh union all select key, budgets, - cost from replaced) changes
      cross join jsonb_array_elements(budgets) budget
      group by 1, 2, 3
      on conflict (key, period, start) do update set spent = balances.spent + excluded.spent
  ),
  removed as (delete from records using given where records.id = given.id and given.record is null and records.outcome = 4),
  written as (
    insert into records (id, at, cost, input, output, cache_read, cache_write_5m, cache_write_1h, reasoning, who, route, asked,
      losses, ms, first_byte, attempts, status, outcome, estimated, conversation, item_names, items)
    select id, at, cost, input, output, cache_read, cache_write_5m, cache_write_1h, reasoning, who, route, asked, losses, ms,
      first_byte, attempts, status, outcome, estimated, conversation, item_names, items from fresh
    on conflict (id) do update set at = excluded.at, cost = excluded.cost, input = excluded.input, output = excluded.output,
      cache_read = excluded.cache_read, cache_write_5m = excluded.cache_write_5m, cache_write_1h = excluded.cache_write_1h,
      reasoning = excluded.reasoning, who = excluded.who, route = excluded.route, asked = excluded.asked,
      losses = excluded.losses, ms = excluded.ms, first_byte = excluded.first_byte, attempts = excluded.attempts,
      status = excluded.status, outcome = excluded.outcome, estimated = excluded.estimated,
      conversation = excluded.conversation, item_names = excluded.item_names, items = excluded.items
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
  perform lock_keys(array(select distinct key from open_calls where instance = lost
    union select distinct key from slices where instance = lost));
  with cut as (delete from open_calls where instance = lost returning *),
  fresh as (
    select cut.id, cut.key, cut.budgets, cut.at, cut.estimate as cost, null::bigint as input, null::bigint as output,
      null::bigint as cache_read, null::bigint as cache_write_5m, null::bigint as cache_write_1h, null::bigint as reasoning,
      cut.who, cut.route, cut.asked, 0 as ms, true as estimated, 4 as outcome, cut.conversation
    from cut where not exists (select 1 from records where records.id = cut.id)
  ),
  sums as (
    insert into hours
      select hour, who, route, sum(calls), sum(failed), sum(estimated), sum(input), sum(output), sum(cache_read),
        sum(cache_write_5m), sum(cache_write_1h), sum(reasoning), sum(cost), sum(ms)
      from (
        select fresh.at - fresh.at % 3600000 as hour, fresh.who, fresh.route, + 1 as calls,
          + (fresh.outcome in (1, 2, 4))::int as failed, + fresh.estimated::int as estimated,
          + coalesce(fresh.input, 0) as input, + coalesce(fresh.output, 0) as output,
          + coalesce(fresh.cache_read, 0) as cache_read, + coalesce(fresh.cache_write_5m, 0) as cache_write_5m,
          + coalesce(fresh.cache_write_1h, 0) as cache_write_1h, + coalesce(fresh.reasoning, 0) as reasoning,
          + coalesce(fresh.cost, 0) as cost, + coalesce(fresh.ms, 0) as ms
        from fresh
      ) changes
      group by hour, who, route
      on conflict (hour, who, route) do update set calls = hours.calls + excluded.calls,
        failed = hours.failed + excluded.failed, estimated = hours.estimated + excluded.estimated,
        input = hours.input + excluded.input, output = hours.output + excluded.output,
        cache_read = hours.cache_read + excluded.cache_read, cache_write_5m = hours.cache_write_5m + excluded.cache_write_5m,
        cache_write_1h = hours.cache_write_1h + excluded.cache_write_1h, reasoning = hours.reasoning + excluded.reasoning,
        cost = hours.cost + excluded.cost, ms = hours.ms + excluded.ms
  ),
  spending as (
    insert into balances
      select key, budget->>'period', (budget->>'start')::bigint, sum(cost)
      from (select key, budgets, cost from fresh) changes
      cross join jsonb_array_elements(budgets) budget
      group by 1, 2, 3
      on conflict (key, period, start) do update set spent = balances.spent + excluded.spent
  ),
  written as (
    insert into records (id, at, cost, who, route, asked, ms, attempts, status, outcome, estimated, conversation)
    select id, at, cost, who, route, asked, ms, 1, 0, outcome, estimated, conversation from fresh
  )
  select count(*) into closed from cut;
  delete from slices where instance = lost;
  delete from instances where id = lost;
  return jsonb_build_object('instance', lost, 'closed', closed);
end $$;
