import { describe, expect, it } from 'vitest'
import { refuseAll } from './mistakes.ts'
import { readConfig, type ReadConfig } from './read.ts'
import { checkReplacement } from './replacement.ts'

const ENVIRONMENT = { CI_KEY: 'sk-ci-0123456789abcdef', TEAM_KEY: 'sk-team-0123456789abcdef' }
const FILE = '/etc/dragoman.yaml'

/** The result of a reload while another configuration is running: the new configuration, or its mistakes. */
async function replaced(running: string, text: string, file = FILE): Promise<ReadConfig['config'] | string> {
  const before = await readConfig(file, ENVIRONMENT, running)
  try {
    const next = await readConfig(file, ENVIRONMENT, text)
    refuseAll(file, checkReplacement(file, before, next))
    return next.config
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  }
}

const BLOCKS = `# the gateway
server:
  port: 0
aliases:
  fast: sim/chat-1
keys:
  - name: ci
    secret: \${CI_KEY}
    models:
      - sim/chat-1
      - sim/genai-1
  - name: team
    secret: \${TEAM_KEY}
    models: [sim/messages-1]
    limits:
      requestsPerMinute: 60
      concurrent: 5
    budgets:
      day: 5
      month: 99
limits:
  perKey: 5
`
const LINES = `keys: [{ name: ci, secret: "\${CI_KEY}", models: [sim/chat-1] }]
aliases: { fast: sim/chat-1 }
`
const BRACES = `{ keys: [{ name: ci, secret: "\${CI_KEY}", models: [sim/chat-1] }], aliases: { fast: sim/chat-1 } }`
const JSON_TEXT = JSON.stringify({ keys: [{ name: 'ci', secret: '${CI_KEY}', models: ['sim/chat-1'] }] }, null, 2)

describe('a configuration that replaces a running one', () => {
  it.each([
    ['blocks', BLOCKS, FILE],
    ['blocks with an end mark', `${BLOCKS}...\n`, FILE],
    ['lines', LINES, FILE],
    ['braces', BRACES, FILE],
    ['JSON', JSON_TEXT, '/etc/dragoman.json'],
  ])('loses no restriction and not all keys, wherever it is cut off: %s', async (_name, text, file) => {
    const restrictions = new Map((await readConfig(file, ENVIRONMENT, text)).config.keys?.map((key) => [key.name, key]))
    for (let length = 0; length < text.length; length++) {
      const taken = await replaced(text, text.slice(0, length), file)
      if (typeof taken === 'string') continue
      const keys = taken.keys ?? []
      const isWeaker = keys.some(({ name, models, limits, budgets }) => {
        const before = restrictions.get(name)
        expect([limits, budgets]).toEqual([before?.limits, before?.budgets])
        return models === undefined || models.some((model) => before?.models?.includes(model) !== true)
      })
      expect([length, keys.length > 0, isWeaker]).toEqual([length, true, false])
    }
    expect(await replaced(text, text, file)).toBeTypeOf('object')
  })

  it('is refused if it is empty', async () => {
    for (const text of ['', '\n', '# nothing\n', '{}', '---\n'])
      expect(await replaced(BLOCKS, text)).toBe(`${FILE}: is empty`)
  })

  it('is refused without a line feed at its end, or without the end marker that it had', async () => {
    expect(await replaced(BLOCKS, BLOCKS.trimEnd())).toBe(`${FILE}: may be cut off: its last line has no line feed`)
    expect(await replaced(`${BLOCKS}...\n`, BLOCKS)).toBe(`${FILE}: may be cut off: its last line was "..."`)
    expect(await replaced(BLOCKS, `${BLOCKS}...\n`)).toBeTypeOf('object')
  })

  it('is refused if its keys are gone, or the restriction of one', async () => {
    expect(await replaced(BLOCKS, 'server: { port: 1 }\n')).toBe(
      `${FILE}: keys are gone: a running server keeps them, so restart it if that is meant`,
    )
    const lifted = 'keys:\n  - { name: team, secret: "${TEAM_KEY}", limits: {}, budgets: {} }\n'
    const reason = `${FILE}: keys.0.models is gone: for a key that may use all models, write ["*"]`
    expect(await replaced(BLOCKS, lifted)).toBe(reason)
    expect(await replaced(BLOCKS, lifted.replace('name: team', 'name: other'))).toBe(reason)
    expect(await replaced(BLOCKS, lifted.replace(' }\n', ', models: ["*"] }\n'))).toBeTypeOf('object')
  })

  it('is refused if limits, budgets or providers of a key are gone, unless it says so', async () => {
    const keyOf = (members: string): string => `keys:\n  - { name: team, secret: "\${TEAM_KEY}"${members} }\n`
    const full = keyOf(', limits: { requestsPerMinute: 60, concurrent: 5 }, budgets: { day: 5 }, providers: [sim]')
    expect(await replaced(full, keyOf(', limits: { concurrent: 5 }'))).toBe(
      [
        `${FILE}: keys.0.providers is gone: restart the server if that is meant`,
        `${FILE}: keys.0.budgets is gone: for a key without budgets, write {}`,
        `${FILE}: keys.0.limits.requestsPerMinute is gone: write null if there should be none`,
      ].join('\n'),
    )
    const lifted = keyOf(', limits: { requestsPerMinute: null, concurrent: 9 }, budgets: {}, providers: [other]')
    expect(await replaced(full, lifted)).toBeTypeOf('object')
  })

  it('is accepted with other keys, or without keys if there were none', async () => {
    const other = `keys:\n  - { name: new, sha256: "${'0'.repeat(64)}" }\n`
    expect(await replaced(BLOCKS, other)).toMatchObject({ keys: [{ name: 'new' }] })
    expect(await replaced('server: { port: 1 }\n', 'server: { port: 2 }\n')).toEqual({ server: { port: 2 } })
  })
})
