-- The second migration: batches of an instance in the order of their numbers. One that comes late, because its connection was given up, is
-- refused. Numbers are kept for a day after the last batch.

create table batch_numbers (instance text primary key, number bigint not null, until bigint not null);

create function commit_in_order(batch jsonb) returns jsonb language plpgsql set search_path from current as $$
declare
  moment bigint := now_ms(batch);
  is_first boolean;
begin
  insert into batch_numbers values (batch->>'instance', (batch->>'number')::bigint, moment + 86400000)
    on conflict (instance) do update set number = excluded.number, until = excluded.until
      where batch_numbers.number <= excluded.number
    returning xmax = 0 into is_first;
  if is_first is null then
    raise exception 'Batch % of the instance % has come after a later one, and has no effect.', batch->>'number', batch->>'instance';
  end if;
  if is_first then
    delete from batch_numbers where instance in (
      select instance from batch_numbers where until <= moment for update skip locked
    );
  end if;
  return commit_batch(batch);
end $$;
