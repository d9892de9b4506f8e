import { createOpenAI } from '@dragoman/provider-openai'
import { createSim } from '@dragoman/provider-sim'
import { describe, expect, it } from 'vitest'
import { checkAliases } from './aliases.ts'
import type { Mistake } from './config/mistakes.ts'
import type { Config } from './config/schema.ts'

function check(config: Config, ollamaMayCome = false, providers = [createSim(), createSim({ name: 'twin' })]) {
  const mistakes: Mistake[] = []
  const aliases = checkAliases(config, providers, ollamaMayCome ? ['ollama'] : [], mistakes)
  return { aliases, mistakes: mistakes.map(({ path, reason }) => `${path.join('.')} ${reason}`) }
}

describe('aliases and the models of keys', () => {
  it('lead to models', () => {
    const config: Config = {
      aliases: { fast: 'sim/chat-1' },
      keys: [{ name: 'a', secret: 'x', models: ['sim/chat-1', 'twin/*', '*'] }],
    }
    expect(check(config)).toEqual({ aliases: { fast: 'sim/chat-1' }, mistakes: [] })
  })

  it('may use every name that calls may use, but keys only ids', () => {
    const upstream = createOpenAI({ keys: 'sk-1', models: [{ name: 'mine-2.0', upstream: 'mine-2-0' }, 'ft:*'] })
    const aliases = { one: 'mine-2-0', two: 'openai/mine-2-0-20250101', three: 'openai/ft:any' }
    const keys = [{ name: 'a', secret: 'x', models: ['openai/ft:any', 'openai/ft:*', 'openai/mine-2-0'] }]
    expect(check({ aliases, keys }, false, [upstream])).toEqual({
      aliases,
      mistakes: ['keys.0.models.2 names "openai/mine-2-0", which no provider has; did you mean "openai/mine-2.0"?'],
    })
  })

  it('are mistakes if the model does not exist', () => {
    const config: Config = {
      aliases: { one: 'sim/chat-9', two: 'chat-1' },
      keys: [{ name: 'a', secret: 'x', models: ['nobody/*', 'sim/chat-9'] }],
    }
    expect(new Set(check(config).mistakes)).toEqual(
      new Set([
        'aliases.one names "sim/chat-9", which no provider has; did you mean "sim/chat-1"?',
        'aliases.two names "chat-1", which several providers have: put the provider before it',
        'keys.0.models.0 names "nobody/*", which no provider has',
        'keys.0.models.1 names "sim/chat-9", which no provider has; did you mean "sim/chat-1"?',
      ]),
    )
  })

  it('tell how to get the simulator if it is not there', () => {
    const config: Config = { aliases: { fast: 'sim/chat-1' }, keys: [{ name: 'a', secret: 'x', models: ['sim/*'] }] }
    expect(new Set(check(config, false, [createOpenAI({ keys: 'sk-1' })]).mistakes)).toEqual(
      new Set([
        'aliases.fast names "sim/chat-1", which no provider has: set providers.sim to true',
        'keys.0.models.0 names "sim/*", which no provider has: set providers.sim to true',
      ]),
    )
  })

  it('wait for an Ollama that may still be found', () => {
    const config: Config = {
      aliases: { local: 'ollama/llama3' },
      keys: [{ name: 'a', secret: 'x', models: ['ollama/*'] }],
    }
    expect(check(config, true)).toEqual({ aliases: {}, mistakes: [] })
    expect(check(config, false).mistakes).toHaveLength(2)
  })
})

it('the routes of an alias are checked one by one', () => {
  const pool = { routes: ['sim/chat-1', { model: 'sim/chat-9', weight: 2 }], type: 'round_robin' as const }
  expect(check({ aliases: { pool } })).toEqual({
    aliases: { pool: { routes: ['sim/chat-1'], type: 'round_robin' } },
    mistakes: ['aliases.pool.routes.1.model names "sim/chat-9", which no provider has; did you mean "sim/chat-1"?'],
  })
})
