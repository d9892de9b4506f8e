import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FEATURES } from '@dragoman/core/provider'
import { afterAll, describe, expect, it } from 'vitest'
import { findConfig } from './find.ts'
import { configJsonSchema } from './json-schema.ts'
import { readConfig } from './read.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** The lines with the mistakes, without the name of the file. */
async function mistakesIn(text: string, environment = {}, name = 'wrong.yaml'): Promise<string[]> {
  const file = write(name, text)
  const error = await readConfig(file, environment).then(
    () => new Error('There was no mistake.'),
    (thrown: unknown) => thrown as Error, // nothing else is thrown
  )
  return error.message.split('\n').map((line) => line.replace(`${file}: `, ''))
}

describe('a configuration file', () => {
  it('is JSON or YAML, with the same meaning', async () => {
    const environment = { ACME_KEY: 'k-1', HOUSE_PORT: '9000' }
    const yaml = write(
      'good.yaml',
      [
        'server: { port: 8081, cors: "*" }',
        'providers:',
        '  openai:',
        '    key: ${ACME_KEY}',
        '  house:',
        '    baseURL: http://127.0.0.1:${HOUSE_PORT}/v1',
        '    keys: [{ env: ACME_KEY }]',
        '    headers: { x-price: "$${not a reference}" }',
        '  ollama: false',
      ].join('\n'),
    )
    const { config } = await readConfig(yaml, environment)
    expect(config).toEqual({
      server: { port: 8081, cors: '*' },
      providers: {
        openai: { key: 'k-1' },
        house: { baseURL: 'http://127.0.0.1:9000/v1', keys: ['k-1'], headers: { 'x-price': '${not a reference}' } },
        ollama: false,
      },
    })
    const json = write(
      'good.json',
      JSON.stringify({
        $schema: './config.schema.json',
        server: { port: 8081, cors: '*' },
        providers: {
          openai: { key: '${ACME_KEY}' },
          house: {
            baseURL: 'http://127.0.0.1:${HOUSE_PORT}/v1',
            keys: [{ env: 'ACME_KEY' }],
            headers: { 'x-price': '$${not a reference}' },
          },
          ollama: false,
        },
      }),
    )
    const other = await readConfig(json, environment)
    expect(other.config).toEqual({ $schema: './config.schema.json', ...config })
  })

  it('may be empty', async () => {
    expect((await readConfig(write('empty.yaml', '# nothing yet\n'), {})).config).toEqual({})
    expect((await readConfig(write('empty.json', '\n'), {})).config).toEqual({})
  })

  it('gets all mistakes, each in one line with its path', async () => {
    const text = [
      'server: { prot: 1, log: inf, port: 70000 }',
      'providers:',
      '  anthropic: { baseUrl: https://x.example }',
      '  deepseek: { models: [{ nam: x }] }',
      '  Bad_Name: true',
      '  google: { key: "${A}", keys: ["${B}"] }',
      'keys: [{ name: a }, { name: b, sha256: abc }]',
      'aliases: { fast: 3, pool: { routes: [], typ: priority, keep: [cash] } }',
      'limits: { body: 32 XB, time: { conect: 1, idle: 0 } }',
      'unheard: of',
    ].join('\n')
    expect(new Set(await mistakesIn(text))).toEqual(
      new Set([
        'server.prot is unknown; did you mean "port"?',
        'server.log must be one of debug, info, warn, error, silent; did you mean "info"?',
        'server.port must be at most 65535',
        'providers.anthropic.baseUrl is unknown; did you mean "baseURL"?',
        'providers.deepseek.models.0.name is required',
        'providers.deepseek.models.0.nam is unknown; did you mean "name"?',
        'providers.Bad_Name is not a valid name: it may have lower-case letters, digits and dashes',
        'providers.google has both key and keys: one of them is enough',
        'keys.0 needs either a secret or a sha256 digest',
        'keys.1.sha256 must be the SHA-256 digest of the key, as 64 hex digits',
        'aliases.fast must be the name of a model, or an object with routes',
        `aliases.pool.keep.0 must be one of ${FEATURES.join(', ')}; did you mean "cache"?`,
        'aliases.pool.routes must not be empty',
        'aliases.pool.typ is unknown; did you mean "type"?',
        'limits.body must be a number of bytes, or one like "32 MB"',
        'limits.time.conect is unknown; did you mean "connect"?',
        'limits.time.idle must be above 0',
        'unheard is unknown',
      ]),
    )
  })

  it('gets suggestions in every form that a value may have', async () => {
    const text = [
      'providers:',
      '  openai: { key: { emv: A }, models: [{ name: x, contxt: 5 }], overrides: { y: { maxOutptu: 1 } } }',
      '  house: { baseURL: "http://h.example", queue: { concurency: 1 }, models: [{ name: z, embedding: { sizes: { mim: 1 } } }] }',
      '  lab: { baseURL: "http://l.example", models: [{ name: a, image: { refrences: 1 }, video: { secnds: [4] } }], overrides: { b: { image: { takes: [sed], custom: { maxsid: 4 } } } } }',
      'aliases: { pool: { routes: [{ model: openai/x, wieght: 1, when: { steam: true } }] } }',
      'keys: [{ name: a, secret: "${A}", adnim: true, routing: { factor: qualty } }]',
    ].join('\n')
    const mistakes = await mistakesIn(text, { A: 'a' })
    for (const [member, meant] of [
      ['providers.openai.key.emv is unknown', 'env'],
      ['providers.openai.models.0.contxt is unknown', 'context'],
      ['providers.openai.overrides.y.maxOutptu is unknown', 'maxOutput'],
      ['providers.house.queue.concurency is unknown', 'concurrency'],
      ['providers.house.models.0.embedding.sizes.mim is unknown', 'min'],
      ['providers.lab.models.0.image.refrences is unknown', 'references'],
      ['providers.lab.models.0.video.secnds is unknown', 'seconds'],
      ['providers.lab.overrides.b.image.custom.maxsid is unknown', 'maxSide'],
      ['aliases.pool.routes.0.wieght is unknown', 'weight'],
      ['aliases.pool.routes.0.when.steam is unknown', 'stream'],
      ['keys.0.adnim is unknown', 'admin'],
    ])
      expect(mistakes).toContain(`${member}; did you mean "${meant}"?`)
    expect(mistakes.find((line) => line.startsWith('keys.0.routing.factor must be one of'))).toContain('"quality"')
    expect(mistakes.find((line) => line.startsWith('providers.lab.overrides.b.image.takes.0'))).toContain('"seed"')
  })

  it('gets mistakes of facts about media in the words of the other members', async () => {
    const model = (facts: string): string =>
      `providers: { lab: { baseURL: "http://l.example", models: [{ name: a, ${facts} }] } }`
    const at = 'providers.lab.models.0'
    for (const [facts, mistake] of [
      ['image: { most: 0 }', 'image.most must be a whole number from 1 to 1000000000000'],
      ['image: { sizes: [big] }', 'image.sizes.0 must be a size like "1024x1024", or auto'],
      ['image: { ratios: [16x9] }', 'image.ratios.0 must be a ratio like "16:9", or auto'],
      ['image: { formats: [png] }', 'image.formats.0 must be a media type like "image/png"'],
      ['video: { audio: 5 }', 'video.audio must be one of always, never, on, off'],
      ['video: { seconds: [] }', 'video.seconds must not be empty'],
      ['embedding: { tokens: 1 }', 'embedding.tokens must be true or false'],
    ] as const)
      expect(await mistakesIn(model(facts))).toEqual([`${at}.${mistake}`])
  })

  it('gets mistakes of the schema and missing variables together, with the positions of the file', async () => {
    const text = [
      'keys:',
      '  - { name: a }',
      '  - { name: b, secret: "${NOBODY}" }',
      'server: { prot: 1 }',
      'providers: { openai: { key: "${NOBODY}" } }',
    ].join('\n')
    expect(new Set(await mistakesIn(text))).toEqual(
      new Set([
        'keys.0 needs either a secret or a sha256 digest',
        'server.prot is unknown; did you mean "port"?',
        'keys.1.secret refers to NOBODY, which is not set',
        'providers.openai.key refers to NOBODY, which is not set',
      ]),
    )
  })

  it('is told what is wrong with limits and budgets of keys', async () => {
    const entry = (members: string): string => `{ name: a, sha256: "${'0'.repeat(64)}", ${members} }`
    expect(
      await mistakesIn(`keys: [${entry('limits: { requestPerMinute: 5 }, budgets: { day: 0.1234567891 }')}]`),
    ).toEqual([
      'keys.0.limits.requestPerMinute is unknown; did you mean "requestsPerMinute"?',
      'keys.0.budgets.day must be an amount in dollars with at most 9 decimals, such as 12.50',
    ])
    const [one, other] = [entry('limits: { concurrent: 5 }'), entry('limits: { concurrent: 6 }')]
    expect(await mistakesIn(`keys: [${one}, ${one}]`)).toEqual(['There was no mistake.'])
    expect(await mistakesIn(`keys: [${one}, ${other}]`)).toEqual([
      'keys has entries of the same name with other limits, budgets or owners: they count together',
    ])
  })

  it('contains no secrets, and a literal one is not repeated', async () => {
    const mistakes = await mistakesIn(
      'providers: { openai: { key: sk-canary } }\nkeys: [{ name: a, secret: [canary] }]',
    )
    expect(mistakes).toHaveLength(2)
    for (const mistake of mistakes) {
      expect(mistake).toMatch(/^(providers\.openai\.key|keys\.0\.secret) must name a variable of the environment/)
      expect(mistake).not.toContain('canary')
    }
  })

  it('gets the names of missing variables', async () => {
    const text = 'providers:\n  openai:\n    key: ${NOBODY}\n  house: { baseURL: "https://${EMPTY}/v1" }\n'
    expect(await mistakesIn(text, { EMPTY: '' })).toEqual([
      'providers.openai.key refers to NOBODY, which is not set',
      'providers.house.baseURL refers to EMPTY, which is not set',
    ])
  })

  it.each([
    ['wrong.yaml', 'server: {\n', 'is not YAML at line 2, column 1'],
    ['wrong.yaml', 'a: 1\na: 2\n', 'is not YAML at line 2, column 1'],
    [
      'wrong.yaml',
      'key: { a: ${B} }',
      'is not YAML at line 1, column 12: between braces, "${NAME}" must stand in quotes',
    ],
    ['wrong.json', '{\n  "a": 1,\n}', 'is not JSON at line 3, column 1'],
    ['wrong.json', '{\n  "a": canary\n}', 'is not JSON'],
    ['wrong.yaml', '- a list', 'must be an object'],
  ])('is told where the syntax ends, in %s: %j', async (name, text, mistake) => {
    expect(await mistakesIn(text, {}, name)).toEqual([mistake])
  })
})

describe('the published schema', () => {
  it('matches the server; `node src/config/write-json-schema.ts` updates it', () => {
    const published: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../config.schema.json'), 'utf8'))
    expect(published).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
  })
})

describe('finding it', () => {
  it('looks in the folder, and at the path in DRAGOMAN_CONFIG', () => {
    const directory = mkdtempSync(join(folder, 'place-'))
    expect(findConfig({}, directory)).toBeUndefined()
    writeFileSync(join(directory, 'dragoman.config.yml'), '')
    expect(findConfig({}, directory)).toBe(join(directory, 'dragoman.config.yml'))
    expect(findConfig({ DRAGOMAN_CONFIG: write('other.yaml', '') }, directory)).toBe(join(folder, 'other.yaml'))
    expect(() => findConfig({ DRAGOMAN_CONFIG: 'gone.yaml' }, directory)).toThrow(
      /^DRAGOMAN_CONFIG names .*gone\.yaml, which/,
    )
    writeFileSync(join(directory, 'dragoman.config.json'), '')
    expect(() => findConfig({}, directory)).toThrow('There are both dragoman.config.json and dragoman.config.yml')
  })
})
