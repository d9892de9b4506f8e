import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRedis, startRedis } from '@dragoman/testkit/engines'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../src/migrate.ts'
import { checkLua } from './check-lua.ts'
import { namesInSql } from './check-sql.ts'
import { useDatabase } from './engine.ts'

const SOURCES = join(import.meta.dirname, '../src')
const scriptsIn = (language: string): readonly (readonly [script: string, text: string])[] =>
  globSync(`**/*.${language}`, { cwd: SOURCES })
    .sort()
    .map((script) => [script, readFileSync(join(SOURCES, script), 'utf8')])

describe('scripts in Lua', () => {
  const scripts = scriptsIn('lua')
  const decide = new Map(scripts).get('redis/decide.lua') ?? expect.fail('no script')
  /** The script with a mistake in it. */
  const planted = (text: string, instead: string): string => {
    expect(decide.split(text)).toHaveLength(2)
    return decide.replace(text, instead)
  }

  it.each(scripts)('use locals, and only what Redis has: %s', (_, text) => {
    expect(checkLua(text).mistakes).toEqual([])
  })

  it.each([
    ['math.floor(', 'math.round(', ['math.round is unknown']],
    ['local settled = {}', 'settled = {}', ['settled is unknown', 'settled is assigned and not local']],
    ['local function count(', 'function count(', ['count is unknown', 'count is assigned and not local']],
    ['close(take())', 'close(tke())', ['tke is unknown']],
    ['local verdicts = {}', 'local verdicts, spare = {}', ['spare is not used']],
    ["redis.call('TIME')", 'redis.call(base)', ['a command is not a constant']],
    ["redis.call('TIME')", "redis['call']('TIME')", ['redis is unknown']],
  ])('are refused with a mistake: %s → %s', (text, instead, mistakes) => {
    expect(checkLua(planted(text, instead)).mistakes).toEqual(mistakes)
  })

  it('are refused if they are not Lua', () => {
    expect(() => checkLua(planted("return { 'lost' }\nend", "return { 'lost' }"))).toThrow(/expected/)
  })

  const program = findRedis('whether Redis compiles its scripts and has their commands')
  it.skipIf(program.isSkipped)('are compiled by Redis, which has all of their commands', async () => {
    const redis = await startRedis(program)
    const client = new Redis(redis.socket)
    onTestFinished(async () => {
      client.disconnect()
      await redis.stop()
    })
    const commands = scripts.flatMap(([, text]) => checkLua(text).commands)
    expect(commands).toContain('HINCRBY')
    const known = (await client.command('INFO', ...commands)) as readonly unknown[] // null for a command that Redis does not have
    expect(commands.filter((_, index) => known[index] === null)).toEqual([])
    expect(await client.command('INFO', 'HINCREASE')).toEqual([null])
    for (const [, text] of scripts) expect(await client.script('LOAD', text)).toMatch(/^[0-9a-f]{40}$/)
    await expect(client.script('LOAD', planted('local settled = {}', 'local settled = {'))).rejects.toThrow(/compil/)
  })
})

describe('scripts in SQL', () => {
  const scripts = scriptsIn('sql')
  const all = readMigrations().join('\n')
  const connection = useDatabase('scripts')
  const client = new Client(connection)
  beforeAll(() => client.connect())
  afterAll(() => client.end())

  const planted = (text: string, instead: string): string => {
    expect(all.split(text)).toHaveLength(2)
    return all.replace(text, instead)
  }
  /** Runs statements with all checks of PostgreSQL, and then looks for the tables and functions that they use. */
  const mistakesOf = async (text: string): Promise<readonly string[]> => {
    await client.query('begin')
    try {
      await client.query(`create schema checked; set local search_path to checked`)
      await client.query(`set local check_function_bodies to on; set local plpgsql.extra_errors to 'all'`)
      await client.query(text)
      const { tables, functions } = await namesInSql(text)
      const { rows } = await client.query<{ name: string }>(
        `select name from unnest($1::text[]) name where to_regclass(name) is null
         union select name from unnest($2::text[]) name where not exists (select from pg_proc where proname = name)`,
        [[...tables], [...functions]],
      )
      return rows.map(({ name }) => `${name} is unknown`)
    } catch (error) {
      return [error instanceof Error ? error.message : 'unknown']
    } finally {
      await client.query('rollback')
    }
  }

  it('are all used by migrations', () => {
    expect(scripts.filter(([, text]) => !all.includes(text)).map(([script]) => script)).toEqual([])
  })

  it('create functions whose tables and functions exist', async () => {
    const { tables, functions } = await namesInSql(all)
    expect([...tables]).toEqual(expect.arrayContaining(['open_calls', 'batch_numbers', 'hours']))
    expect([...functions]).toEqual(expect.arrayContaining(['commit_batch', 'save_bucket', 'jsonb_to_recordset']))
    expect(await mistakesOf(all)).toEqual([])
  })

  it.each([
    [
      'a table',
      'delete from batch_numbers where instance in (',
      'delete from batches where instance in (',
      'batches is',
    ],
    ['a function', 'commit_batch(batch);\nend', 'commit_all(batch);\nend', 'commit_all is'],
    ['a column', 'each.attempts, each.status,', 'each.attempts, each.state,', 'column each.state does not exist'],
    ['SQL', 'create table hours (', 'create tables hours (', 'syntax error at or near "tables"'],
    ['PL/pgSQL', '  if is_first is null then', '  if is_first is null', 'missing "THEN"'],
    ['a name', '  lost text;\n  closed integer;', '  lost text;\n  lost integer;', 'duplicate declaration'],
  ])('are refused with a mistake in %s', async (_, text, instead, mistake) => {
    expect(await mistakesOf(planted(text, instead))).toEqual([expect.stringContaining(mistake)])
  })
})
