import { framesOf } from './frames.ts'
import {
  base64,
  isWire,
  list,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  whole,
  type Wire,
} from './refuse.ts'

/** Throws if the official client could not read an answer as its types say. */
export function acceptImageAnswer(body: Wire): void {
  only(body, 'created data background output_format quality size usage safety_identifier svg_usage', 'body')
  whole(body['created'], 0, Number.MAX_SAFE_INTEGER, 'created')
  for (const [index, each] of list(body['data'], 'data').entries()) {
    const image = object(each, `data.${index}`)
    only(image, 'b64_json url revised_prompt', `data.${index}`)
    acceptImage(image, `data.${index}`)
    optional(image['revised_prompt'], (prompt) => string(prompt, `data.${index}.revised_prompt`))
  }
  optional(body['usage'], acceptUsage)
  acceptLook(body, false)
}

/** Throws if the official client could not read a stream as its types say. */
export function acceptImageStream(text: string, kind: 'image_generation' | 'image_edit'): void {
  const frames = framesOf(text)
  let partials = -1
  let ended = false
  for (const { event, data } of frames) {
    if (ended) refuse('stream', 'something after the error')
    const body = object(JSON.parse(data) as unknown, 'event')
    if (body['type'] !== event) refuse('event', `is ${event} for an event of the type ${String(body['type'])}`)
    if (event === 'error') {
      const error = object(body['error'], 'error')
      string(error['message'], 'error.message')
      ended = true
    } else if (event === `${kind}.partial_image`) {
      acceptEvent(body, 'partial_image_index')
      const index = whole(body['partial_image_index'], 0, Number.MAX_SAFE_INTEGER, 'partial_image_index')
      if (index <= partials) refuse('partial_image_index', 'does not increase')
      partials = index
    } else if (event === `${kind}.completed`) {
      acceptEvent(body, 'usage')
      optional(body['usage'], acceptUsage)
      partials = -1
    } else refuse('event', `${event} is unknown`)
  }
  if (frames.length === 0) refuse('stream', 'has no event')
}

function acceptEvent(body: Wire, own: string): void {
  only(body, `type b64_json url created_at background output_format quality size safety_identifier ${own}`, 'event')
  acceptImage(body, 'event')
  whole(body['created_at'], 0, Number.MAX_SAFE_INTEGER, 'created_at')
  acceptLook(body, true)
}

function acceptImage(body: Wire, path: string): void {
  if (body['url'] === undefined) base64(body['b64_json'], `${path}.b64_json`)
  else nonEmpty(body['url'], `${path}.url`)
}

function acceptLook(body: Wire, isWhole: boolean): void {
  const check = (member: string, test: (value: unknown) => unknown) => {
    if (isWhole || body[member] !== undefined) test(body[member])
  }
  check('background', (value) => oneOf(value, ['transparent', 'opaque', 'auto'], 'background'))
  check('output_format', (value) => oneOf(value, ['png', 'webp', 'jpeg', 'gif', 'svg'], 'output_format'))
  check('quality', (value) => oneOf(value, ['low', 'medium', 'high', 'xhigh', 'max', 'auto'], 'quality'))
  check('size', (value) => nonEmpty(value, 'size'))
}

function acceptUsage(value: unknown): void {
  const usage = object(value, 'usage')
  const counts = 'input_tokens output_tokens total_tokens'
  only(usage, `${counts} input_tokens_details output_tokens_details`, 'usage')
  for (const member of counts.split(' ')) whole(usage[member], 0, Number.MAX_SAFE_INTEGER, `usage.${member}`)
  if (!isWire(usage['input_tokens_details'])) refuse('usage.input_tokens_details', 'must be an object')
  for (const details of ['input_tokens_details', 'output_tokens_details']) {
    optional(usage[details], (each) => {
      const counted = object(each, details)
      only(counted, 'image_tokens text_tokens cached_tokens', `usage.${details}`)
      for (const member of ['image_tokens', 'text_tokens'])
        whole(counted[member], 0, Number.MAX_SAFE_INTEGER, `usage.${details}.${member}`)
    })
  }
}
