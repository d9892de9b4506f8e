-- The first migration: functions that do the work of a batch inside the database, so that it takes one round trip. A transaction locks first
-- its names, then its instance, then its keys, each in their order: no two of them can wait for one another.

create function now_ms(given jsonb) returns bigint language sql volatile as $$
  select coalesce((given->>'now')::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)
$$;

create function lock_keys(given text[]) returns void language plpgsql as $$
declare
  each text;
begin
  for each in select distinct unnest(given) order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || each, 0));
  end loop;
end $$;

create function intern(texts jsonb) returns integer[] language plpgsql as $$
declare
  ids integer[];
begin
  insert into names (text)
    select given.text from jsonb_array_elements_text(texts) given(text)
    where not exists (select 1 from names where names.text = given.text)
    order by given.text
    on conflict (text) do nothing;
  select array_agg(names.id order by given.place) into ids
    from jsonb_array_elements_text(texts) with ordinality given(text, place) join names on names.text = given.text;
  return ids;
end $$;

create function drained(given text, limits jsonb, moment bigint) returns buckets language plpgsql as $$
declare
  bucket buckets;
  minutes double precision;
  requests double precision := (limits->>'requests')::double precision;
  tokens double precision := (limits->>'tokens')::double precision;
begin
  select * into bucket from buckets where buckets.key = given;
  if not found then
    bucket := row(given, 0, 0, 0);
  end if;
  minutes := greatest(0, moment - bucket.at) / 60000;
  bucket.requests := case when requests is null then 0 else greatest(0, bucket.requests - requests * minutes) end;
  bucket.tokens := case when tokens is null then 0 else greatest(0, bucket.tokens - tokens * minutes) end;
  bucket.at := greatest(moment, bucket.at);
  return bucket;
end $$;

create function save_bucket(given buckets) returns void language sql as $$
  insert into buckets values (given.*)
  on conflict (key) do update set requests = excluded.requests, tokens = excluded.tokens, at = excluded.at
$$;

create function hold_slices(batch jsonb, me text) returns void language plpgsql as $$
begin
  update slices set amount = least(slices.amount, given.amount)
    from (
      select key, period, start, min(amount) as amount
      from jsonb_to_recordset(batch->'slices') each(key text, period text, start bigint, amount bigint) group by 1, 2, 3
    ) given
    where slices.instance = me and (slices.key, slices.period, slices.start) = (given.key, given.period, given.start);
  delete from slices where slices.instance = me and slices.amount <= 0;
end $$;

create function open_call(opening jsonb, ids integer[], me text, moment bigint) returns jsonb language plpgsql as $$
declare
  call jsonb := opening->'call';
  whose text := call->>'key';
  limits jsonb := opening->'limits';
  tokens double precision := (opening->>'tokens')::double precision;
  most double precision := (limits->>'tokens')::double precision;
  has_rates boolean := limits->>'requests' is not null or limits->>'tokens' is not null;
  bucket buckets;
  wish record;
  available bigint;
  granted jsonb := '[]';
begin
  if has_rates then
    bucket := drained(whose, limits, moment);
  end if;
  if exists (select 1 from open_calls where id = (call->>'id')::uuid) then
    return jsonb_build_object('repeated', true, 'bucket', to_jsonb(bucket));
  end if;
  if has_rates and (bucket.requests + 1 > (limits->>'requests')::double precision or bucket.tokens + least(tokens, most) > most) then
    return jsonb_build_object('refused', 'rate', 'bucket', to_jsonb(bucket));
  end if;
  if limits->>'concurrent' is not null
    and (select count(*) from open_calls where open_calls.key = whose) >= (limits->>'concurrent')::double precision then
    return jsonb_build_object('refused', 'concurrent', 'bucket', to_jsonb(bucket));
  end if;
  for wish in
    select * from jsonb_to_recordset(opening->'wishes')
      given(place integer, period text, start bigint, "limit" bigint, least bigint, wanted bigint) order by given.place
  loop
    available := wish."limit"
      - coalesce((select spent from balances where (key, period, start) = (whose, wish.period, wish.start)), 0)
      - coalesce((select sum(amount) from slices where (key, period, start) = (whose, wish.period, wish.start)), 0);
    if available < wish.least then
      return jsonb_build_object('refused', 'budget', 'place', wish.place, 'bucket', to_jsonb(bucket));
    end if;
    granted := granted || to_jsonb(least(available, wish.wanted));
  end loop;
  insert into slices (key, period, start, instance, amount)
    select whose, given.period, given.start, me, (granted->given.place)::bigint
    from jsonb_to_recordset(opening->'wishes') given(place integer, period text, start bigint)
    where (granted->given.place)::bigint <> 0
    on conflict (key, period, start, instance) do update set amount = slices.amount + excluded.amount;
  if has_rates then
    bucket.requests := case when limits->>'requests' is null then 0 else bucket.requests + 1 end;
    bucket.tokens := case when most is null then 0 else bucket.tokens + tokens end;
    perform save_bucket(bucket);
  end if;
  insert into open_calls values ((call->>'id')::uuid, (call->>'at')::bigint, (call->>'estimate')::bigint, ids[(call->>'who')::integer],
    ids[(call->>'route')::integer], ids[(call->>'asked')::integer], decode(call->>'conversation', 'hex'), whose, me, opening->'budgets');
  return jsonb_build_object('granted', granted, 'bucket', to_jsonb(bucket));
end $$;

create function cancel_openings(given jsonb, me text) returns void language plpgsql as $$
begin
  delete from open_calls using jsonb_to_recordset(given) each(id uuid) where open_calls.id = each.id and open_calls.instance = me;
  update slices set amount = slices.amount - taken.amount
    from (
      select each.key, slice.period, slice.start, sum(slice.amount)::bigint as amount
      from jsonb_to_recordset(given) each(key text, slices jsonb)
      cross join jsonb_to_recordset(each.slices) slice(period text, start bigint, amount bigint) group by 1, 2, 3
    ) taken
    where slices.instance = me and (slices.key, slices.period, slices.start) = (taken.key, taken.period, taken.start);
  delete from slices where slices.instance = me and slices.amount <= 0;
end $$;

create function save_key(given jsonb, before bigint, entry jsonb) returns bigint language plpgsql set search_path from current as $$
declare
  known bigint;
  latest_revision bigint;
begin
  update key_revisions set latest = latest + 1 returning latest into latest_revision;
  select revision into known from keys where id = given->>'id';
  if coalesce(known, 0) <> before then
    return null;
  end if;
  insert into keys values (given->>'id', given->>'digest', given->'previous'->>'digest', latest_revision, given)
    on conflict (id) do update set digest = excluded.digest, previous = excluded.previous, revision = latest_revision, body = excluded.body;
  insert into audit values ((entry->>'id')::uuid, (entry->>'at')::bigint, entry);
  return latest_revision;
end $$;

create function commit_batch(batch jsonb) returns jsonb language plpgsql set search_path from current as $$
declare
  me text := batch->>'instance';
  moment bigint;
  ids integer[] := intern(batch->'names');
  is_new boolean;
  effective integer[] := '{}';
  opening jsonb;
  verdicts jsonb := '[]';
begin
  insert into instances values (me, 0) on conflict (id) do update set until = 0 returning xmax = 0 into is_new;
  perform lock_keys(array(select jsonb_array_elements_text(batch->'keys')));
  moment := now_ms(batch);
  update instances set until = moment + (batch->>'ttlMs')::bigint where id = me;
  if jsonb_array_length(batch->'cancel') > 0 then
    perform cancel_openings(batch->'cancel', me);
  end if;
  perform save_bucket(seed) from jsonb_populate_recordset(null::buckets, batch->'seeds') seed;
  if (batch->>'rounds')::integer > 0 then
    for round in 0..(batch->>'rounds')::integer - 1 loop
      effective := effective || settle(batch, ids, me, round);
    end loop;
    perform correct_tokens(batch, effective, moment);
  end if;
  if jsonb_array_length(batch->'slices') > 0 then
    perform hold_slices(batch, me);
  end if;
  for opening in select jsonb_array_elements(batch->'openings') loop
    verdicts := verdicts || open_call(opening, ids, me, moment);
  end loop;
  if (batch->>'last')::boolean then
    update instances set until = moment where id = me;
    if not exists (select 1 from open_calls where instance = me) then
      delete from slices where instance = me;
      delete from instances where id = me;
    end if;
  end if;
  return jsonb_build_object('isNew', is_new, 'now', moment, 'effective', to_jsonb(effective), 'verdicts', verdicts);
end $$;
