import { describe, expect, it } from 'vitest'
import { mediaKinds, translateMediaAnswer, translateMediaRequest, type MediaTranslateOptions } from '../../src/media.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'

const MODEL = 'any/vectors'
/** A model that has everything, with few sizes. */
const FACTS = {
  dimensions: 4,
  sizes: { min: 2, max: 4 },
  most: 3,
  maxTokens: 5,
  tasks: ['RETRIEVAL_QUERY', 'CLUSTERING'],
  title: true,
  tokens: true,
  truncate: true,
} as const

const FORMS: { readonly [name: string]: { readonly protocol: Protocol; readonly operation: string } } = {
  chat: { protocol: chat, operation: 'embedding' },
  embed: { protocol: genai, operation: 'embedding' },
  batch: { protocol: genai, operation: 'embedding-batch' },
  predict: { protocol: genai, operation: 'predict' },
}

function translate(form: string, upstream: Protocol, body: JsonObject, options: MediaTranslateOptions = {}) {
  const { protocol, operation } = FORMS[form]!
  return translateMediaRequest(mediaKinds.embedding, protocol, upstream, body, {
    operation,
    match: { model: MODEL },
    ...options,
  })
}

function check(form: string, body: unknown): JsonObject {
  const { protocol, operation } = FORMS[form]!
  return protocol.embedding!.check(body, { operation })
}

/** An upstream that takes one input at a time. */
const SINGLE = { dialect: { embedding: 'single' } }

const embed = (text: string, more: JsonObject = {}) => ({ content: { parts: [{ text }] }, ...more })

describe('a request for embeddings in another protocol', () => {
  it('[embed.chat.input] [embed.chat.dimensions] [embed.pairs] is a batch in genai, with the model in each request', () => {
    const body = { model: MODEL, input: ['one', 'two'], dimensions: 256, encoding_format: 'base64' }
    expect(translate('chat', genai, body, { model: 'up' })).toMatchObject({
      calls: [
        {
          operation: 'embedding-batch',
          body: {
            requests: [
              { model: 'models/up', content: { parts: [{ text: 'one' }] }, outputDimensionality: 256 },
              { model: 'models/up', content: { parts: [{ text: 'two' }] }, outputDimensionality: 256 },
            ],
          },
        },
      ],
      losses: [],
      facts: { brief: { encoding: 'base64' } },
    })
  })

  it('[embed.predict.instances] [embed.predict.parameters] is a prediction where the card says so', () => {
    const options = { dialect: { embedding: 'predict' }, model: 'up' }
    expect(translate('chat', genai, { model: MODEL, input: 'one', dimensions: 3 }, options).calls).toEqual([
      { operation: 'predict', body: { instances: [{ content: 'one' }], parameters: { outputDimensionality: 3 } } },
    ])
    const body = {
      instances: [{ content: 'a', task_type: 'CLUSTERING', title: 't' }, { content: 'b' }],
      parameters: { outputDimensionality: 3, autoTruncate: false },
    }
    expect(translate('predict', genai, body, { model: 'up' }).calls).toEqual([
      {
        operation: 'embedding-batch',
        body: {
          requests: [
            {
              model: 'models/up',
              ...embed('a', { taskType: 'CLUSTERING', title: 't' }),
              outputDimensionality: 3,
              embedContentConfig: { autoTruncate: false },
            },
            {
              model: 'models/up',
              ...embed('b'),
              outputDimensionality: 3,
              embedContentConfig: { autoTruncate: false },
            },
          ],
        },
      },
    ])
  })

  it('[embed.genai.taskType] [embed.genai.title] [embed.losses] reports what chat cannot say, where the caller has it', () => {
    const { calls, losses } = translate('batch', chat, {
      requests: [
        embed('a', { taskType: 'CLUSTERING', title: 'A', outputDimensionality: 3 }),
        embed('b', { taskType: 'CLUSTERING', embedContentConfig: { outputDimensionality: 3 } }),
      ],
    })
    expect(calls).toEqual([{ operation: 'embedding', body: { model: MODEL, input: ['a', 'b'], dimensions: 3 } }])
    expect(losses.map(({ kind, wirePath }) => [kind, wirePath])).toEqual([
      ['dropped', 'requests[0].taskType'],
      ['dropped', 'requests[0].title'],
    ])
  })

  it('[embed.genai.content] joins several texts for chat and says so', () => {
    const { calls, losses } = translate('embed', chat, {
      content: { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
    })
    expect(calls[0]?.body).toEqual({ model: MODEL, input: 'a\nb' })
    expect(losses).toMatchObject([{ kind: 'changed', wirePath: 'content', to: { type: 'text', text: 'a\nb' } }])
  })

  it('[embed.chat.user] reports a user that genai cannot name', () => {
    const { losses } = translate('chat', genai, { model: MODEL, input: 'a', user: 'u1', x_new: 1 })
    expect(losses.map(({ kind, wirePath }) => [kind, wirePath])).toEqual([
      ['dropped', 'user'],
      ['dropped', 'x_new'],
    ])
  })

  it('[embed.genai.embedContentConfig] reads options in a member of their own, and snake_case', () => {
    const body = {
      content: { parts: [{ text: 'a' }] },
      embed_content_config: { output_dimensionality: 2, task_type: 'X' },
    }
    expect(translate('embed', genai, check('embed', body), SINGLE).calls[0]?.body).toEqual(
      embed('a', { outputDimensionality: 2, taskType: 'X' }),
    )
  })

  it('[embed.split] goes in several calls if one takes fewer inputs, with losses where the caller has them', () => {
    const requests = ['a', 'b', 'c', 'd', 'e'].map((text, index) => embed(text, { title: `${index}` }))
    const { calls, losses, facts } = translate('batch', chat, { requests }, { facts: { title: true, perCall: 2 } })
    expect(calls.map(({ body }) => body['input'])).toEqual([['a', 'b'], ['c', 'd'], 'e'])
    expect(losses.map(({ wirePath }) => wirePath)).toEqual([0, 1, 2, 3, 4].map((index) => `requests[${index}].title`))
    const part = (values: number[], tokens: number) => ({
      data: values.map((value, index) => ({ index, embedding: [value] })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    })
    const answer = translateMediaAnswer(
      mediaKinds.embedding,
      genai,
      chat,
      [part([1, 2], 3), part([3, 4], 4), part([5], 5)],
      facts,
    )
    expect(answer.body).toEqual({
      embeddings: [1, 2, 3, 4, 5].map((value) => ({ values: [value] })),
      usageMetadata: { promptTokenCount: 12 },
    })
    expect(answer.billed).toEqual({ input: 12 })
  })
})

describe('a request for embeddings that a model cannot fulfil', () => {
  const fit = (form: string, upstream: Protocol, body: JsonObject, facts: MediaTranslateOptions['facts'] = FACTS) =>
    translate(form, upstream, check(form, body), { facts, accepts: ['text'], ...SINGLE })

  it.each([
    ['[embed.err.most]', 'chat', chat, { model: MODEL, input: ['a', 'b', 'c', 'd'] }, 'input'],
    ['[embed.err.most]', 'batch', chat, { requests: ['a', 'b', 'c', 'd'].map((text) => embed(text)) }, 'requests'],
    ['[embed.err.dimensions]', 'chat', genai, { model: MODEL, input: 'a', dimensions: 5 }, 'dimensions'],
    ['[embed.err.dimensions]', 'embed', chat, embed('a', { outputDimensionality: 1 }), 'outputDimensionality'],
    [
      '[embed.err.dimensions]',
      'embed',
      chat,
      embed('a', { embedContentConfig: { outputDimensionality: 1 } }),
      'embedContentConfig.outputDimensionality',
    ],
    [
      '[embed.err.dimensions]',
      'predict',
      chat,
      { instances: [{ content: 'a' }], parameters: { outputDimensionality: 9 } },
      'parameters.outputDimensionality',
    ],
    [
      '[embed.err.dimensions] different ones for chat',
      'batch',
      chat,
      { requests: [embed('a'), embed('b', { outputDimensionality: 3 })] },
      'requests.1.outputDimensionality',
    ],
    ['[embed.err.tokens] tokens for genai', 'chat', genai, { model: MODEL, input: [1, 2] }, 'input'],
    ['[embed.err.tokens] tokens for genai', 'chat', genai, { model: MODEL, input: [[1], [2]] }, 'input.0'],
    ['[embed.err.tokens] too many tokens', 'chat', chat, { model: MODEL, input: [1, 2, 3, 4, 5, 6] }, 'input'],
    [
      '[embed.err.tokens] media',
      'embed',
      chat,
      { content: { parts: [{ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } },
      'content.parts.1',
    ],
    ['[embed.genai.taskType] unknown task', 'embed', genai, embed('a', { taskType: 'X' }), 'taskType'],
    [
      '[embed.genai.taskType] unknown task',
      'predict',
      genai,
      { instances: [{ content: 'a' }, { content: 'b', task_type: 'X' }] },
      'instances.1.task_type',
    ],
  ] as const)('%s is refused: %s %#', (_rows, form, upstream, body, param) => {
    expect(() => fit(form, upstream, body as JsonObject)).toThrowError(
      expect.objectContaining({ kind: 'invalid-request', param }),
    )
  })

  it('[embed.card] leaves out and reports what the card does not have', () => {
    const body = embed('a', { taskType: 'X', title: 'T', embedContentConfig: { autoTruncate: true } })
    const { calls, losses } = fit('embed', genai, body, {})
    expect(calls).toEqual([{ operation: 'embedding', body: embed('a') }])
    expect(losses.map(({ wirePath }) => wirePath)).toEqual(['taskType', 'title', 'embedContentConfig.autoTruncate'])
  })

  it('[embed.card] without other sizes, a model has one', () => {
    const body = { model: MODEL, input: 'a', dimensions: 8 }
    expect(() => fit('chat', chat, body, { dimensions: 4 })).toThrow('dimensions: must be 4 for this model.')
    expect(fit('chat', chat, { ...body, dimensions: 4 }, { dimensions: 4 }).calls[0]?.body).not.toMatchObject({
      dimensions: 4,
    })
  })
})

describe('a body that is not a request for embeddings', () => {
  const withInput = (input: unknown) => ({ model: MODEL, input })
  it.each([
    ['[embed.err.input] no input', 'chat', { model: MODEL }, 'input'],
    ['[embed.err.input] an empty text', 'chat', withInput(''), 'input'],
    ['[embed.err.input] no inputs', 'chat', withInput([]), 'input'],
    ['[embed.err.input] an empty text among others', 'chat', withInput(['a', '']), 'input.1'],
    ['[embed.err.input] no tokens', 'chat', withInput([[1], []]), 'input.1'],
    ['[embed.err.input] texts and tokens', 'chat', withInput(['a', 1]), 'input'],
    ['[embed.err.type] an object', 'chat', withInput([{}]), 'input.0'],
    ['[embed.err.type] a number', 'chat', withInput(5), 'input'],
    ['[embed.err.type] half a token', 'chat', withInput([0.5]), 'input.0'],
    ['[embed.err.type] no model', 'chat', { input: 'a' }, 'model'],
    ['[embed.err.dimensions] none', 'chat', { ...withInput('a'), dimensions: 0 }, 'dimensions'],
    ['[embed.err.dimensions] half ones', 'chat', { ...withInput('a'), dimensions: 1.5 }, 'dimensions'],
    ['[embed.err.type] dimensions as text', 'chat', { ...withInput('a'), dimensions: '3' }, 'dimensions'],
    ['[embed.err.type] encoding', 'chat', { ...withInput('a'), encoding_format: 'int8' }, 'encoding_format'],
    ['[embed.err.type] user', 'chat', { ...withInput('a'), user: 1 }, 'user'],
    ['[embed.err.type] routing', 'chat', { ...withInput('a'), provider: { type: 'x' } }, 'provider.type'],
    ['[embed.err.input] no content', 'embed', {}, 'content'],
    ['[embed.err.input] no parts', 'embed', { content: { parts: [] } }, 'content.parts'],
    ['[embed.err.input] an empty text', 'embed', embed(''), 'content.parts.0.text'],
    ['[embed.err.input] an empty part', 'embed', { content: { parts: [{}] } }, 'content.parts.0.text'],
    ['[embed.err.dimensions] none', 'embed', embed('a', { outputDimensionality: 0 }), 'outputDimensionality'],
    ['[embed.err.type] taskType', 'embed', embed('a', { taskType: 1 }), 'taskType'],
    ['[embed.err.type] title', 'embed', embed('a', { title: 1 }), 'title'],
    [
      '[embed.err.type] config',
      'embed',
      embed('a', { embedContentConfig: { autoTruncate: 1 } }),
      'embedContentConfig.autoTruncate',
    ],
    ['[embed.err.input] no requests', 'batch', { requests: [] }, 'requests'],
    [
      '[embed.err.input] an empty text',
      'batch',
      { requests: [embed('a'), embed('')] },
      'requests.1.content.parts.0.text',
    ],
    ['[embed.err.type] a request', 'batch', { requests: [1] }, 'requests.0'],
    [
      '[embed.err.type] different preferences',
      'batch',
      { requests: [embed('a'), embed('b', { embedContentConfig: { autoTruncate: true } })] },
      'requests.1.embedContentConfig.autoTruncate',
    ],
    ['[embed.err.input] no instances', 'predict', { instances: [] }, 'instances'],
    ['[embed.err.input] an empty text', 'predict', { instances: [{ content: '' }] }, 'instances.0.content'],
    ['[embed.err.type] a number', 'predict', { instances: [{ content: 1 }] }, 'instances.0.content'],
    [
      '[embed.err.dimensions] none',
      'predict',
      { instances: [{ content: 'a' }], parameters: { outputDimensionality: 0 } },
      'parameters.outputDimensionality',
    ],
  ])('%s is refused: %s %#', (_rows, form, body, param) => {
    expect(() => check(form, body)).toThrowError(expect.objectContaining({ kind: 'invalid-request', param }))
  })

  it('[embed.err.type] reads null as absent', () => {
    const body = { model: MODEL, input: 'a', dimensions: null, encoding_format: null, user: null }
    expect(translate('chat', chat, check('chat', body)).calls[0]?.body).toEqual({ model: MODEL, input: 'a' })
  })

  it('[embed.predict] is told apart from a request for images', () => {
    const claims = (body: JsonObject) => genai.embedding!.claims!(body)
    expect(claims({ instances: [{ content: 'a' }] })).toBe(true)
    expect(claims({ instances: [{ prompt: 'a' }] })).toBe(false)
    expect(claims({})).toBe(false)
  })
})

describe('an answer with embeddings', () => {
  const asked = (form: string, upstream: Protocol, body: JsonObject, options = {}) => {
    const { protocol } = FORMS[form]!
    const { facts } = translate(form, upstream, body, options)
    return (...answers: JsonObject[]) => translateMediaAnswer(mediaKinds.embedding, protocol, upstream, answers, facts)
  }
  const chatAnswer = (...embeddings: (readonly number[] | string | null)[]) => ({
    object: 'list',
    model: 'up',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 7, total_tokens: 7 },
  })

  it('[embed.chat.encoding_format] [embed.base64] is base64 for a chat client, from numbers of genai', () => {
    const answer = asked('chat', genai, { model: MODEL, input: 'a', encoding_format: 'base64' }, SINGLE)
    const { body } = answer({ embedding: { values: [1, -2] }, usageMetadata: { promptTokenCount: 3 } })
    expect(body).toEqual({
      object: 'list',
      model: MODEL,
      data: [{ object: 'embedding', index: 0, embedding: 'AACAPwAAAMA=' }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
  })

  it('[embed.chat.encoding_format] [embed.base64] is numbers by default, also from base64', () => {
    const answer = asked('chat', chat, { model: MODEL, input: 'a' })
    expect(answer(chatAnswer('AACAPwAAAMA=')).body).toMatchObject({ data: [{ embedding: [1, -2] }] })
  })

  it('[embed.genai] [embed.batch] [embed.predict] has the form of the call', () => {
    const usage = { promptTokenCount: 7 }
    expect(asked('embed', chat, embed('a'))(chatAnswer([1, 2])).body).toEqual({
      embedding: { values: [1, 2] },
      usageMetadata: usage,
    })
    expect(asked('batch', chat, { requests: [embed('a'), embed('b')] })(chatAnswer([1], [2])).body).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
      usageMetadata: usage,
    })
    expect(asked('predict', chat, { instances: [{ content: 'a' }] })(chatAnswer([1])).body).toEqual({
      predictions: [{ embeddings: { values: [1], statistics: { token_count: 7, truncated: false } } }],
    })
  })

  it('[embed.usage] [embed.predict] has the sum of the counts of predictions, and the counts for such a client', () => {
    const dialect = { embedding: 'predict' }
    const predictions = [
      { embeddings: { values: [1], statistics: { token_count: 2, truncated: false } } },
      { embeddings: { values: [2], statistics: { token_count: 3, truncated: true } } },
    ]
    const { body, billed, losses } = asked(
      'chat',
      genai,
      { model: MODEL, input: ['a', 'b'] },
      { dialect },
    )({ predictions })
    expect(body).toMatchObject({ usage: { prompt_tokens: 5, total_tokens: 5 } })
    expect(billed).toEqual({ input: 5 })
    expect(losses.map(({ kind, path }) => [kind, ...path])).toEqual([
      ['dropped', 'tokens'],
      ['dropped', 'truncated'],
    ])
    const instances = [{ content: 'a' }, { content: 'b' }]
    expect(asked('predict', genai, { instances }, { dialect })({ predictions }).body).toEqual({ predictions })
  })

  it('[embed.chat.input] is in the order of its indexes', () => {
    const answer = asked('batch', chat, { requests: [embed('a'), embed('b')] })
    const { data } = chatAnswer([1], [2])
    expect(answer({ data: data.toReversed() }).body).toEqual({ embeddings: [{ values: [1] }, { values: [2] }] })
  })

  it.each([
    ['fewer embeddings', chatAnswer([1])],
    ['more embeddings', chatAnswer([1], [2], [3])],
    ['none', {}],
    ['no embedding in an entry', chatAnswer([1], null)],
    ['another value', { data: 'x' }],
    ['invalid base64', chatAnswer('***', 'AACAPw==')],
  ])('[embed.err.upstream] is an error with %s', (_, answer) => {
    const translated = asked('batch', chat, { requests: [embed('a'), embed('b')] })
    expect(() => translated(answer as JsonObject)).toThrowError(expect.objectContaining({ kind: 'upstream' }))
  })
})
