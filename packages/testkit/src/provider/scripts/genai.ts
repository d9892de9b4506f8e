import type { AnswerCase, Expected, ScriptedAnswer } from '../subject.ts'

/** Responses that any upstream of the genai protocol may give. */
export const genaiScripts: readonly AnswerCase[] = [
  answered(
    'a whole answer',
    { body: JSON.stringify(chunk([{ text: 'It scatters.' }], 'STOP')) },
    {
      text: 'It scatters.',
      usage: { input: 9, output: 4 },
    },
  ),
  answered(
    'a stream, byte by byte',
    { ...streamed([{ text: 'It ' }], [{ text: 'scättérs.' }]), sending: 'bytes' },
    {
      text: 'It scättérs.',
      usage: { input: 9, output: 4 },
    },
  ),
  answered(
    'a function call without an id that ends with STOP',
    streamed([{ functionCall: { name: 'get_weather', args: { city: 'Paris' } } }]),
    { calls: [{ name: 'get_weather', input: { city: 'Paris' } }], finish: 'tool-calls' },
  ),
  answered('thoughts', streamed([{ text: 'Rayleigh?', thought: true }], [{ text: 'It scatters.' }]), {
    reasoning: 'Rayleigh?',
    text: 'It scatters.',
  }),
  answered(
    'an error instead of the first chunk',
    { frames: ['data: {"error":{"code":503,"message":"Too many of you.","status":"UNAVAILABLE"}}\n\n'] },
    { error: true },
  ),
  answered('a stream that just stops', { frames: [frame(chunk([{ text: 'It ' }]))] }, { error: true }),
]

function answered(title: string, answer: ScriptedAnswer, expects: Expected): AnswerCase {
  return { title, protocol: 'genai', answer, expects }
}

function streamed(...chunks: readonly (readonly object[])[]): ScriptedAnswer {
  const last = chunks.length - 1
  return { frames: chunks.map((parts, index) => frame(chunk(parts, index === last ? 'STOP' : undefined))) }
}

function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function chunk(parts: readonly object[], finishReason?: string): object {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
    modelVersion: 'suite-model-1',
    responseId: 'r1',
  }
}
