import type { JsonObject } from '@dragoman/core'
import { sealShapes } from './genai-seals.ts'
import { forClashes, inOrders, many, members, SCHEMAS, type Shapes } from './shapes.ts'

const text = (value = 'a'): JsonObject => ({ text: value })
const turn = (role: 'user' | 'model', parts: readonly JsonObject[]): JsonObject => ({ role, parts })
const user = turn('user', [text()])
const talk = (contents: readonly JsonObject[]): JsonObject => ({ contents })
const ask = (more: JsonObject): JsonObject => ({ ...talk([user]), ...more })
const declare = (functionDeclarations: readonly JsonObject[]): JsonObject => ask({ tools: [{ functionDeclarations }] })
const call = (index: number, name = 'f'): JsonObject => ({ functionCall: { id: `call_${index}`, name, args: {} } })
const result = (index: number, more: JsonObject = {}): JsonObject => ({
  functionResponse: { id: `call_${index}`, name: 'f', response: { output: 'done' }, ...more },
})
const unnumbered = (index: number): JsonObject => ({ functionCall: { name: `f${index}`, args: {} } })
const answered = (index: number): JsonObject => ({
  functionResponse: { name: `f${index}`, response: { output: 'done' } },
})
const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
const citation = (index: number, more: JsonObject = {}): JsonObject => ({
  uri: `https://example.com/${index}`,
  startIndex: 0,
  endIndex: 1,
  ...more,
})
/** A citation of the text with this index among many, each two bytes long. */
const placed = (index: number): JsonObject => citation(index, { startIndex: index * 2, endIndex: index * 2 + 2 })
const scored = { token: 'a', logProbability: -1 }

const candidate = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  content: { role: 'model', parts },
  finishReason: 'STOP',
  index: 0,
  ...more,
})
const answer = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [candidate(parts, more)],
  modelVersion: 'm',
  responseId: 'a',
  createTime: '2026-01-01T00:00:00Z',
})

const chunk = (members: JsonObject): string =>
  `data: ${JSON.stringify({ modelVersion: 'm', responseId: 'a', ...members })}\n\n`
const chunkOf = (parts: readonly JsonObject[], more: JsonObject = {}): string =>
  chunk({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] })
const streamed = (frames: readonly string[]): string[] => [...frames, chunkOf([text()], { finishReason: 'STOP' })]

export const genaiShapes: Shapes = {
  request: {
    messages: (size) => talk(many(size, () => user)),
    'turns in alternation': (size) => talk(many(size, (index) => turn(index % 2 === 0 ? 'user' : 'model', [text()]))),
    'turns of the model in a row': (size) => talk([user, ...many(size, () => turn('model', [text()])), user]),
    'different turns of the model in a row': (size) =>
      talk([user, ...many(size, (index) => ({ ...turn('model', [text()]), [`x_${index}`]: 1 })), user]),
    instructions: (size) => ask({ systemInstruction: { parts: many(size, () => text()) } }),
    parts: (size) =>
      talk([
        turn(
          'user',
          many(size, () => text()),
        ),
      ]),
    'parts of the model': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, () => text()),
        ),
        user,
      ]),
    'signed parts of the model': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, (index) => ({ ...text(), thoughtSignature: `c2ln${index}` })),
        ),
        user,
      ]),
    images: (size) =>
      talk([
        turn(
          'user',
          many(size, () => image),
        ),
      ]),
    'unknown parts': (size) =>
      talk([
        turn(
          'user',
          many(size, () => ({ xNew: 1 })),
        ),
      ]),
    'snake case parts': (size) =>
      talk([
        turn(
          'user',
          many(size, () => ({ inline_data: { mime_type: 'image/png', data: 'aGk=' } })),
        ),
      ]),
    tools: (size) => declare(many(size, (index) => ({ name: `f${index}` }))),
    'tools of their own': (size) =>
      ask({ tools: many(size, (index) => ({ functionDeclarations: [{ name: `f${index}` }] })) }),
    ...forClashes((size, name) => declare(many(size, (index) => ({ name: name(index) })))),
    'allowed tools': (size) => ({
      ...declare(many(size, (index) => ({ name: `f${index}` }))),
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: many(size, (index) => `f${index}`) } },
    }),
    'unknown members': (size) => ask(members(size)),
    'unknown members of a message': (size) => talk([{ ...user, ...members(size) }]),
    'messages with an unknown member': (size) => talk(many(size, (index) => ({ ...user, [`x_${index}`]: 1 }))),
    'unknown members of a tool': (size) => declare([{ name: 'f', ...members(size) }]),
    'unknown members of a part': (size) => talk([turn('user', [{ ...text(), ...members(size) }])]),
    'unknown members of settings': (size) =>
      ask({ generationConfig: { ...members(size), thinkingConfig: members(size) } }),
    'safety settings': (size) =>
      ask({ safetySettings: many(size, () => ({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' })) }),
    ...inOrders('calls with results', (size, order) =>
      talk([
        user,
        turn(
          'model',
          many(size, (index) => call(index)),
        ),
        turn('user', order(many(size, (index) => result(index)))),
      ]),
    ),
    ...inOrders('calls without ids with results', (size, order) =>
      talk([user, turn('model', many(size, unnumbered)), turn('user', order(many(size, answered)))]),
    ),
    'calls without ids and results of other names': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, () => unnumbered(0)),
        ),
        turn(
          'user',
          many(size, () => answered(1)),
        ),
      ]),
    'calls without ids, never answered': (size) =>
      talk([user, ...many(size, (index) => [turn('model', [unnumbered(index)]), user]).flat()]),
    'calls one by one': (size) =>
      talk([user, ...many(size, (index) => [turn('model', [call(index)]), turn('user', [result(index)])]).flat()]),
    'results in a row of messages': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, (index) => call(index)),
        ),
        ...many(size, (index) => turn('user', [result(index)])),
      ]),
    'parts of a result': (size) =>
      talk([user, turn('model', [call(0)]), turn('user', [result(0, { parts: many(size, () => image) })])]),
    'images of results': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, (index) => call(index)),
        ),
        turn('user', many(size, (index) => [result(index, { parts: [image] }), text()]).flat()),
      ]),
    'members of a result': (size) =>
      talk([user, turn('model', [call(0)]), turn('user', [result(0, { response: members(size) })])]),
    thoughts: (size) =>
      talk([
        user,
        turn('model', [
          ...many(size, (index) => ({ ...text(), thought: true, thoughtSignature: `c2ln${index}` })),
          text(),
        ]),
        user,
      ]),
    ...sealShapes,
    'code of the upstream': (size) =>
      talk([
        user,
        turn(
          'model',
          many(size, () => [
            { executableCode: { language: 'PYTHON', code: '1' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          ]).flat(),
        ),
        user,
      ]),
    ...Object.fromEntries(
      // The protocol accepts at most 20 000 nodes.
      Object.entries(SCHEMAS).map(([what, schema]) => [
        `${what} of a tool`,
        (size: number) =>
          declare(many(Math.ceil(size / 1000), (index) => ({ name: `f${index}`, parametersJsonSchema: schema(1000) }))),
      ]),
    ),
  },
  response: {
    parts: (size) => answer(many(size, () => text())),
    'signed parts': (size) => answer(many(size, (index) => ({ ...text(), thoughtSignature: `c2ln${index}` }))),
    thoughts: (size) => answer(many(size, (index) => (index % 2 === 0 ? text() : { ...text(), thought: true }))),
    calls: (size) => answer(many(size, (index) => call(index))),
    citations: (size) =>
      answer([text('é')], { citationMetadata: { citations: many(size, (index) => citation(index, { endIndex: 2 })) } }),
    'cited texts': (size) =>
      answer(many(size, () => [text('é'), call(0)]).flat(), { citationMetadata: { citations: many(size, placed) } }),
    'citations of no text': (size) =>
      answer(many(size, () => [text('é'), call(0)]).flat(), {
        citationMetadata: { citations: many(size, (index) => citation(index, { startIndex: 1e9, endIndex: 1e9 })) },
      }),
    'scored tokens': (size) =>
      answer([text()], {
        logprobsResult: {
          chosenCandidates: many(size, () => scored),
          topCandidates: many(size, () => ({ candidates: [scored] })),
        },
      }),
    candidates: (size) => ({ ...answer([]), candidates: many(size, (index) => candidate([text()], { index })) }),
    'unknown members': (size) => ({ ...answer([text()]), ...members(size) }),
    'unknown members of a candidate': (size) => answer([text()], members(size)),
    ratings: (size) =>
      answer([text()], {
        safetyRatings: many(size, () => ({ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' })),
      }),
    grounding: (size) =>
      answer([text()], {
        groundingMetadata: { groundingChunks: many(size, () => ({ web: { uri: 'https://example.com', title: 'a' } })) },
      }),
  },
  stream: {
    deltas: (size) => streamed(many(size, () => chunkOf([text()]))),
    'parts at once': (size) => streamed([chunkOf(many(size, () => text()))]),
    blocks: (size) =>
      streamed(many(size, (index) => chunkOf([index % 2 === 0 ? text() : { ...text(), thought: true }]))),
    'signed blocks': (size) =>
      streamed(many(size, (index) => chunkOf([{ ...text(), thoughtSignature: `c2ln${index}` }]))),
    calls: (size) => streamed(many(size, (index) => chunkOf([call(index)]))),
    'pieces of a call': (size) =>
      streamed([
        chunkOf([{ functionCall: { name: 'f', willContinue: true } }]),
        ...many(size, () =>
          chunkOf([{ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue: 'b' }], willContinue: true } }]),
        ),
        chunkOf([{ functionCall: {} }]),
      ]),
    'places of a call': (size) =>
      streamed([
        chunkOf([{ functionCall: { name: 'f', willContinue: true } }]),
        ...many(size, (index) =>
          chunkOf([
            { functionCall: { partialArgs: [{ jsonPath: `$.a[${index}]`, stringValue: 'b' }], willContinue: true } },
          ]),
        ),
        chunkOf([{ functionCall: {} }]),
      ]),
    'new members of a call': (size) =>
      streamed([
        chunkOf([{ functionCall: { name: 'f', willContinue: true } }]),
        ...many(size, (index) =>
          chunkOf([{ functionCall: { willContinue: true, [`x_${index}`]: 1 }, [`x_${index}`]: 1 }]),
        ),
        chunkOf([{ functionCall: {} }]),
      ]),
    citations: (size) =>
      streamed([
        chunkOf([text('é')]),
        ...many(size, (index) => chunkOf([], { citationMetadata: { citations: [citation(index, { endIndex: 2 })] } })),
      ]),
    'citations between deltas': (size) =>
      streamed(many(size, (index) => chunkOf([text('é')], { citationMetadata: { citations: [placed(index)] } }))),
    'citations ahead of their texts': (size) =>
      streamed([
        chunkOf([], { citationMetadata: { citations: many(size, placed) } }),
        ...many(size, () => chunkOf([text('é'), call(0)])),
      ]),
    'citations of no text': (size) =>
      streamed(
        many(size, (index) =>
          chunkOf([text('é'), call(0)], {
            citationMetadata: { citations: [citation(index, { startIndex: 1e9 + index, endIndex: 1e9 + index })] },
          }),
        ),
      ),
    'scored tokens': (size) =>
      streamed(many(size, () => chunkOf([text()], { logprobsResult: { chosenCandidates: [scored] } }))),
    'scored tokens at once': (size) =>
      streamed([chunkOf([text()], { logprobsResult: { chosenCandidates: many(size, () => scored) } })]),
    'new members of chunks': (size) => streamed(many(size, (index) => chunk({ [`x_${index}`]: index }))),
    'new members of candidates': (size) =>
      streamed(many(size, (index) => chunkOf([text()], { [`x_${index}`]: index }))),
    'new members of usage': (size) =>
      streamed(many(size, (index) => chunk({ usageMetadata: { promptTokenCount: 1, [`x_${index}`]: index } }))),
    'new members of grounding': (size) =>
      streamed(many(size, (index) => chunkOf([text()], { groundingMetadata: { [`x_${index}`]: index } }))),
  },
}
