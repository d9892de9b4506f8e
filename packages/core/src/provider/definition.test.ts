import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { protocols } from '../protocols/index.ts'
import { chat } from '../protocols/chat/index.ts'
import { BEARER, type ProviderDefinition } from './definition.ts'
import type { ProviderOptions } from './options.ts'
import { perCount, usd, when } from './prices.ts'
import { defineProvider } from './provider.ts'

const GOOD: ProviderDefinition = {
  name: 'acme',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  models: [{ name: 'm', input: ['text'], output: ['text'] }],
}
const define = (more: object, options: ProviderOptions = {}) =>
  defineProvider({ ...GOOD, ...more }, { keys: 'k', ...options })
const quirk = (given: object) => ({ quirks: { chat: [given] } })

describe('the prices of a model', () => {
  const price = { value: 1, unit: 'perMTokens', currency: 'USD' }
  it.each([
    [{ promt: [price] }, 'promt" is no price; did you mean "prompt"?'],
    [{ prompt: price }, 'prompt" must be a list of prices, one for each tier.'],
    [{ prompt: [3] }, 'prompt.0" must be an object with value, unit and currency.'],
    [{ prompt: [{ ...price, value: -1 }] }, 'prompt.0.value" must be a number of dollars, at least 0.'],
    [{ prompt: [{ ...price, value: '3' }] }, 'prompt.0.value" must be a number of dollars, at least 0.'],
    [{ prompt: [{ ...price, unit: 'perCount' }] }, 'prompt.0.unit" must be perMTokens.'],
    [{ image: [{ ...price, unit: 'perSecond' }] }, 'image.0.unit" must be perMTokens or perCount.'],
    [{ prompt: [{ ...price, currency: 'EUR' }] }, 'prompt.0.currency" must be USD.'],
    [{ prompt: [{ ...price, from: 3 }] }, 'prompt.0.from" is unknown.'],
    [
      { prompt: [{ ...price, conditions: { prompt_token: {} } }] },
      'prompt.0.conditions.prompt_token" is unknown; did you mean "prompt_tokens"?',
    ],
    [
      { prompt: [{ ...price, conditions: { prompt_tokens: { gte: 200 } } }] },
      'prompt.0.conditions.prompt_tokens.unit" must be kTokens.',
    ],
    [
      { prompt: [{ ...price, conditions: { prompt_tokens: { unit: 'kTokens', gte: '200' } } }] },
      'prompt.0.conditions.prompt_tokens.gte" must be a number of thousands of tokens.',
    ],
  ])('are checked at start: %j', (prices, message) => {
    const overrides = JSON.parse(JSON.stringify({ m: { prices } })) as ProviderOptions['overrides'] // as from a file
    expect(() => define({}, { overrides })).toThrow(`Provider option "overrides.m.prices.${message}`)
  })

  it.each([
    [
      { image: [{ ...price, conditions: { resolution: 4 } }] },
      'image.0.conditions.resolution" must be a text or a list',
    ],
    [{ image: [{ ...price, conditions: { resolutoin: '4K' } }] }, 'did you mean "resolution"?'],
    [{ image_megapixel: [price] }, 'image_megapixel.0.unit" must be perMegapixel.'],
  ])('that model lists do not have are checked at start: %j', (otherPrices, message) => {
    const overrides = JSON.parse(JSON.stringify({ m: { otherPrices } })) as ProviderOptions['overrides'] // as from a file
    expect(() => define({}, { overrides })).toThrow(message)
  })

  it.each([
    [{ when: { tier: 'flex' }, prices: {} }, 'terms" must be a list of terms and their prices.'],
    [[3], 'terms.0" must be an object with when, and prices or a factor.'],
    [[{ prices: {} }], 'terms.0.when" must be an object with tier or speed or geo or hop.'],
    [[{ when: {}, factor: 2 }], 'terms.0.when" must be an object with tier or speed or geo or hop.'],
    [[{ when: { teir: 'flex' }, factor: 2 }], 'terms.0.when.teir" is unknown; did you mean "tier"?'],
    [[{ when: { tier: 5 }, factor: 2 }], 'terms.0.when.tier" must be a text or a list of texts.'],
    [[{ when: { tier: 'flex' } }], 'terms.0" must have either prices or a factor.'],
    [[{ when: { tier: 'flex' }, prices: {}, factor: 2 }], 'terms.0" must have either prices or a factor.'],
    [[{ when: { tier: 'flex' }, factor: -1 }], 'terms.0.factor" must be a number, at least 0.'],
    [[{ when: { tier: 'flex' }, prices: { promt: [price] } }], 'terms.0.prices.promt" is no price; did you mean'],
    [[{ when: { tier: 'flex' }, price: {} }], 'terms.0.price" is unknown; did you mean "prices"?'],
  ])('under other terms are checked at start: %j', (terms, message) => {
    const overrides = JSON.parse(JSON.stringify({ m: { terms } })) as ProviderOptions['overrides'] // as from a file
    expect(() => define({}, { overrides })).toThrow(`Provider option "overrides.m.${message}`)
  })

  it('and its ceiling are checked alike', () => {
    const overrides = JSON.parse(JSON.stringify({ m: { ceiling: { promt: [price] } } })) as ProviderOptions['overrides'] // as from a file
    expect(() => define({}, { overrides })).toThrow('"overrides.m.ceiling.promt" is no price; did you mean "prompt"?')
  })

  it('have units and conditions of model lists only, as the specification has no others', () => {
    const megapixel = { value: 1, unit: 'perMegapixel', currency: 'USD' } as const
    const listed = (prices: NonNullable<Card['prices']>) => () => define({}, { overrides: { m: { prices } } })
    expect(listed({ image_megapixel: [megapixel] })).toThrow(
      'is not a price of model lists: it belongs in otherPrices.',
    )
    expect(listed(usd({ image: [when(perCount(1), { quality: 'low' })] }))).toThrow('conditions.quality" is unknown')
    const otherPrices = { image_megapixel: [megapixel], ...usd({ image: [when(perCount(1), { quality: 'low' })] }) }
    expect(() => define({}, { overrides: { m: { otherPrices } } })).not.toThrow()
  })
})

describe('a definition', () => {
  it.each([
    [{ baseUrl: 'x' }, '"baseUrl" is unknown; did you mean "baseURL"?'],
    [{ auth: { heeder: 'x' } }, '"auth.heeder" is unknown; did you mean "header"?'],
    [{ environment: { key: 'X' } }, '"environment.key" is unknown; did you mean "keys"?'],
    [
      { endpoints: { chta: '.' } },
      '"endpoints.chta" names no protocol: there are chat, messages, genai, responses; did you mean "chat"?',
    ],
    [{ endpoints: { morse: '.' } }, '"endpoints.morse" names no protocol: there are chat, messages, genai, responses.'],
    [{ counts: ['morse'] }, '"counts" names no protocol: there are chat, messages, genai, responses.'],
    [
      { quirks: { message: [] } },
      '"quirks.message" names no protocol: there are chat, messages, genai, responses; did you mean "messages"?',
    ],
    [
      quirk({ verb: 'dorp', at: 'tools' }),
      '"quirks.chat.0.verb" must be one of drop, clamp, default, require, exclude, replace, instruct, declare, rename; did you mean "drop"?',
    ],
    [quirk({ verb: 'declare', at: 'toolChoice' }), '"quirks.chat.0.at" must be "tools": nothing else is declared.'],
    [
      quirk({ verb: 'drop', at: 'settings.topKay' }),
      '"quirks.chat.0.at" "settings.topKay" names no member of a request; did you mean "topK"?',
    ],
    [
      quirk({ verb: 'drop', at: ['tools', 'tools.strict'] }),
      '"quirks.chat.0.at" "tools.strict" names no member of a request.',
    ],
    [quirk({ verb: 'drop', at: 'max_tokens' }), '"quirks.chat.0.at" "max_tokens" names no member of a request.'],
    [
      quirk({ verb: 'drop', at: 'settings.topK.x' }),
      '"quirks.chat.0.at" "settings.topK.x" names no member of a request.',
    ],
    [quirk({ verb: 'drop' }), '"quirks.chat.0.at" is required by "drop".'],
    [
      quirk({ verb: 'drop', at: 'tools', becuase: 'x' }),
      '"quirks.chat.0.becuase" is not a member of "drop"; did you mean "because"?',
    ],
    [
      quirk({ verb: 'drop', at: 'tools', when: { 'toolChoice.mod': 'none' } }),
      '"quirks.chat.0.when" "toolChoice.mod" names no member of a request; did you mean "mode"?',
    ],
    [quirk({ verb: 'clamp', at: 'settings.topP' }), '"quirks.chat.0" needs "min" or "max".'],
    [
      quirk({ verb: 'replace', at: 'reasoning.effort', values: {}, as: 'reasoning.budgte' }),
      '"quirks.chat.0.as" "reasoning.budgte" names no member of a request; did you mean "budget"?',
    ],
    [
      { dialects: { chat: { usages: {} } } },
      '"dialects.chat.usages" is unknown: there are citations, finish, think, usage; did you mean "usage"?',
    ],
    [{ extensions: { chat: { usage: {} } } }, '"extensions.chat.usage" is unknown: there are allowedTools,'],
    [{ dialects: { genai: { usage: {} } } }, '"dialects.genai.usage" is unknown: this protocol has none.'],
    [{ choosers: { chat: ['a..b'] } }, '"choosers.chat.0" must be a path such as "models" or "tools.*.model".'],
    [
      { models: [{ name: 'm', input: [], output: [], prize: 1 }] },
      '"models.0.prize" is unknown; did you mean "prices"?',
    ],
    [
      { models: [{ name: 'm', input: [], output: [], ...quirk({ verb: 'drop', at: 'tool' }) }] },
      '"models.0.quirks.chat.0.at" "tool" names no member of a request; did you mean "tools"?',
    ],
  ])('%j is refused with a message that names it', (more, message) => {
    expect(() => define(more)).toThrow(`Provider definition ${message}`)
  })

  it.each([
    ['a page', 'sources" must be a list.'],
    [[{ from: 'a page', date: '2026-11' }], 'sources.0.facts" is required.'],
    [[{ facts: ['cost'], from: 'a page', date: '2026-11' }], 'sources.0.facts.0" must be one of name, limits, prices.'],
    [[{ facts: ['prices'], from: 'a page' }], 'sources.0.date" is required.'],
  ])('%j are no sources', (sources, message) => {
    const models = [{ name: 'm', input: [], output: [], sources }]
    expect(() => define({ models })).toThrow(`Provider definition "models.0.${message}`)
  })

  it.each([0, 101, 2.5, '70'])('%j is no quality', (quality) => {
    const models = [{ name: 'm', input: [], output: [], quality }]
    const message = 'quality" must be a whole number from 1 to 100.'
    expect(() => define({ models })).toThrow(`Provider definition "models.0.${message}`)
  })

  it.each([
    ['messages.*.parts.*.extras'],
    ['extras.chat.tool_stream'],
    ['output.schema.value.$schema'],
    ['safety.*.method'],
    ['settings.stop'],
  ])('takes the path %s', (at) => {
    expect(define(quirk({ verb: 'drop', at })).models).toHaveLength(1)
  })

  it('takes any wire member in a rename', () => {
    expect(define(quirk({ verb: 'rename', at: 'their_member', to: 'other' })).models).toHaveLength(1)
  })

  it('names the option where an operator wrote it', () => {
    const model = { name: 'x', ...quirk({ verb: 'drop', at: 'tool' }) }
    expect(() => define({}, { models: [model as never] })).toThrow('Provider option "models.0.quirks.chat.0.at" "tool"')
  })

  it('brings the protocols that are not of this package', () => {
    const acme = { ...chat, name: 'acme-chat', dialects: ['own'] }
    const more = { protocols: [acme], endpoints: { 'acme-chat': '.' } }
    expect(define({ ...more, dialects: { 'acme-chat': { own: 1 } } }).protocols).toEqual(['acme-chat'])
    expect(() => define({ ...more, dialects: { 'acme-chat': { other: 1 } } })).toThrow('"dialects.acme-chat.other"')
  })
})

describe('the names of dialects and extensions', () => {
  const SRC = join(import.meta.dirname, '../protocols')

  it.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
    'of %s are those that it reads',
    (name, protocol) => {
      const files = globSync(`${name}/*.ts`, { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))
      const read = (file: string): string => readFileSync(join(SRC, file), 'utf8')
      // What several protocols share is read by those that import it.
      const shared = globSync('*.ts', { cwd: SRC }).filter((file) =>
        files.some((own) => read(own).includes(`'../${file}'`)),
      )
      const found = [...files, ...shared].flatMap((file) =>
        [...read(file).matchAll(/\bdialect\??\.?\['(\w+)'\]/g)].map(([, word]) => word),
      )
      const listed = new Set([...(protocol.dialects ?? []), ...(protocol.extensions ?? [])])
      expect(listed).toEqual(new Set(found))
      expect(dirname(files[0] ?? '')).toBe(name)
    },
  )
})
