/** A call with an image of a size, and the upstream's answer to it. */
export interface Case {
  readonly name: string
  readonly mode: 'relay' | 'translate'
  request(bytes: Buffer): { readonly path: string; readonly body: string | FormData }
  /** The answer has this image if it is what is measured; otherwise a small one. */
  readonly isAnswer?: true
}

const predict = (provider: string): string => `/api/vertex-ai/v1/publishers/${provider}/models/painter:predict`

function instances(bytes: Buffer): string {
  const image = { bytesBase64Encoded: bytes.toString('base64'), mimeType: 'image/png' }
  return JSON.stringify({ instances: [{ prompt: 'a hat', image }] })
}

function form(model: string, bytes: Buffer): FormData {
  const fields = new FormData()
  fields.set('model', model)
  fields.set('prompt', 'a hat')
  fields.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'image.png')
  return fields
}

const generations = '/api/v1/images/generations'
const edits = '/api/v1/images/edits'
const prompt = (model: string): string => JSON.stringify({ model, prompt: 'a fox' })

export const CASES: readonly Case[] = [
  {
    name: 'request in JSON',
    mode: 'relay',
    request: (bytes) => ({ path: predict('genai'), body: instances(bytes) }),
  },
  {
    name: 'request as a form',
    mode: 'relay',
    request: (bytes) => ({ path: edits, body: form('chat/painter', bytes) }),
  },
  {
    name: 'answer',
    mode: 'relay',
    isAnswer: true,
    request: () => ({ path: generations, body: prompt('chat/painter') }),
  },
  {
    name: 'request from JSON to a form',
    mode: 'translate',
    request: (bytes) => ({ path: predict('chat'), body: instances(bytes) }),
  },
  {
    name: 'request from a form to JSON',
    mode: 'translate',
    request: (bytes) => ({ path: edits, body: form('genai/painter', bytes) }),
  },
  {
    name: 'answer',
    mode: 'translate',
    isAnswer: true,
    request: () => ({ path: generations, body: prompt('genai/painter') }),
  },
]

/** The upstream's answer in a protocol. */
export function answerOf(protocol: string, bytes: Buffer): string {
  const data = bytes.toString('base64')
  return protocol === 'chat'
    ? JSON.stringify({ created: 1, data: [{ b64_json: data }] })
    : JSON.stringify({ predictions: [{ bytesBase64Encoded: data, mimeType: 'image/png' }] })
}
