-- The third migration: an open call can be sent to another route for which more is reserved, and refusals of a budget tell what was spent
-- of it and what is held. Amounts are at most the largest integer that JavaScript knows exactly.

create function grant_wishes(given jsonb, whose text, me text) returns jsonb language plpgsql as $$
declare
  wish record;
  spent bigint;
  held bigint;
  granted jsonb := '[]';
begin
  for wish in
    select * from jsonb_to_recordset(given)
      each(place integer, period text, start bigint, "limit" bigint, least bigint, wanted bigint) order by each.place
  loop
    spent := coalesce((select balances.spent from balances where (key, period, start) = (whose, wish.period, wish.start)), 0);
    held := coalesce((select sum(amount) from slices where (key, period, start) = (whose, wish.period, wish.start)), 0);
    if wish."limit" - spent - held < wish.least then
      return jsonb_build_object('refused', 'budget', 'place', wish.place,
        'spent', least(spent, 9007199254740991), 'held', least(held, 9007199254740991));
    end if;
    granted := granted || to_jsonb(least(wish."limit" - spent - held, wish.wanted));
  end loop;
  insert into slices (key, period, start, instance, amount)
    select whose, each.period, each.start, me, (granted->each.place)::bigint
    from jsonb_to_recordset(given) each(place integer, period text, start bigint)
    where (granted->each.place)::bigint <> 0
    on conflict (key, period, start, instance) do update set amount = slices.amount + excluded.amount;
  return jsonb_build_object('granted', granted);
end $$;

create function write_open_call(opening jsonb, ids integer[], me text) returns void language sql as $$
  insert into open_calls values ((opening->'call'->>'id')::uuid, (opening->'call'->>'at')::bigint, (opening->'call'->>'estimate')::bigint,
    ids[(opening->'call'->>'who')::integer], ids[(opening->'call'->>'route')::integer], ids[(opening->'call'->>'asked')::integer],
    decode(opening->'call'->>'conversation', 'hex'), opening->'call'->>'key', me, opening->'budgets')
  on conflict (id) do update set estimate = excluded.estimate, route = excluded.route
$$;

create function raise_call(given jsonb, ids integer[], me text) returns jsonb language plpgsql as $$
declare
  call jsonb := given->'call';
  verdict jsonb;
begin
  if exists (select 1 from open_calls where id = (call->>'id')::uuid and estimate >= (call->>'estimate')::bigint) then
    return jsonb_build_object('repeated', true, 'bucket', null);
  end if;
  verdict := grant_wishes(given->'wishes', call->>'key', me);
  if verdict ? 'granted' then
    perform write_open_call(given, ids, me);
  end if;
  return verdict || '{"bucket": null}';
end $$;

create or replace function open_call(opening jsonb, ids integer[], me text, moment bigint) returns jsonb language plpgsql as $$
declare
  call jsonb := opening->'call';
  whose text := call->>'key';
  limits jsonb := opening->'limits';
  tokens double precision := (opening->>'tokens')::double precision;
  most double precision := (limits->>'tokens')::double precision;
  has_rates boolean := limits->>'requests' is not null or limits->>'tokens' is not null;
  bucket buckets;
  verdict jsonb;
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
  verdict := grant_wishes(opening->'wishes', whose, me);
  if verdict ? 'granted' then
    if has_rates then
      bucket.requests := case when limits->>'requests' is null then 0 else bucket.requests + 1 end;
      bucket.tokens := case when most is null then 0 else bucket.tokens + tokens end;
      perform save_bucket(bucket);
    end if;
    perform write_open_call(opening, ids, me);
  end if;
  return verdict || jsonb_build_object('bucket', to_jsonb(bucket));
end $$;

create or replace function commit_batch(batch jsonb) returns jsonb language plpgsql set search_path from current as $$
declare
  me text := batch->>'instance';
  moment bigint;
  ids integer[] := intern(batch->'names');
  is_new boolean;
  effective integer[] := '{}';
  entry jsonb;
  raised jsonb := '[]';
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
  for entry in select jsonb_array_elements(batch->'raises') loop
    raised := raised || raise_call(entry, ids, me);
  end loop;
  for entry in select jsonb_array_elements(batch->'openings') loop
    verdicts := verdicts || open_call(entry, ids, me, moment);
  end loop;
  if (batch->>'last')::boolean then
    update instances set until = moment where id = me;
    if not exists (select 1 from open_calls where instance = me) then
      delete from slices where instance = me;
      delete from instances where id = me;
    end if;
  end if;
  return jsonb_build_object('isNew', is_new, 'now', moment, 'effective', to_jsonb(effective), 'raised', raised, 'verdicts', verdicts);
end $$;
