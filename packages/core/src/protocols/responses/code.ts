import { keep, keptWord, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Code, CodeOutput, Media, Part } from '../../ir/part.ts'
import { formatDataUrl } from '../../lib/data-url.ts'
import { isEmpty, isObject, listOf, type Json, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { decodePart } from './content.ts'
import { FORMS } from './members.ts'
import { unusual } from './item-facts.ts'
import { codeCall, NAME, type Item, type ItemOf } from './schema.ts'

const PYTHON = 'PYTHON'
const OK = 'OUTCOME_OK'
const FAILED = 'OUTCOME_FAILED'

/** Code that the upstream has run, and its outputs: logs and images. Undefined for an unknown form. */
export function decodeCode(wire: ItemOf<'code_interpreter_call'>): readonly Part[] | undefined {
  const { id: item, code: text, outputs, status } = wire
  if (typeof item !== 'string' || typeof text !== 'string') return undefined
  const results: Part[] = []
  for (const output of listOf(outputs as readonly Json[] | null | undefined)) {
    const part = isObject(output) ? decodeOutput(output, item, status === 'failed' ? FAILED : OK) : undefined
    if (part === undefined) return undefined
    results.push(part)
  }
  const { container_id, outputs: _read, ...rest } = unknownOf(wire, CODE) ?? {}
  const kept: JsonObject = {
    ...rest,
    ...(container_id === undefined || container_id === '' ? {} : { container_id }),
    ...(status === undefined || (status === 'failed' && results.some(({ type }) => type === 'code-output'))
      ? {}
      : unusual(status)),
  }
  return [keep({ type: 'code', language: PYTHON, text, item }, NAME, isEmpty(kept) ? undefined : kept), ...results]
}

const CODE = known(codeCall)

function decodeOutput(wire: JsonObject, item: string, outcome: string): CodeOutput | Media | undefined {
  const { type, logs, url, ...rest } = wire
  const own = isEmpty(rest) ? undefined : rest
  if (type === 'logs' && typeof logs === 'string' && url === undefined)
    return keep({ type: 'code-output', outcome, text: logs, item }, NAME, own)
  if (type !== 'image' || typeof url !== 'string' || logs !== undefined) return undefined
  const image = decodePart({ type: 'input_image', image_url: url })
  return image.type === 'media' ? keep({ ...image, item }, NAME, own) : undefined
}

/** Whether it is code that responses can show as run. Upstreams take back only their own. */
export function isRun(part: Part, { toward }: Encoding): part is Code {
  return part.type === 'code' && (toward === 'client' || part.item?.startsWith('ci_') === true)
}

/** Whether a part is an output of this code. */
export function answersCode({ item }: Code, part: Part): boolean {
  if (part.type === 'code-output') return part.item === undefined || part.item === item
  if (part.type !== 'media' || part.kind !== 'image' || item === undefined || part.item !== item) return false
  return part.source.kind === 'base64' || part.source.kind === 'url'
}

/** The losses are those of the code. */
export function encodeCode(
  code: Code,
  id: string | undefined,
  results: readonly { readonly part: Part; readonly losses: Losses }[],
  losses: Losses,
  context: Encoding,
): Item {
  reportUnsupported(code, FORMS.code, losses, context)
  if (code.language !== PYTHON) losses.changed(['language'], PYTHON, 'responses runs Python')
  const isFailed = results.some(({ part }) => part.type === 'code-output' && part.outcome !== OK)
  const outcome = isFailed ? FAILED : OK
  const outputs = results.map(({ part, losses: at }) => {
    if (id !== undefined && part.item !== id) {
      if (part.item === undefined) at.added(['item'], id, 'outputs belong to the item of their code')
      else at.changed(['item'], id, 'outputs belong to the item of their code')
    }
    if (part.type !== 'code-output') return encodeImage(part as Media, at, context) // asked before
    reportUnsupported(part, FORMS.codeOutput, at, context)
    if (part.outcome !== outcome) at.changed(['outcome'], outcome, 'responses has one outcome for all outputs')
    return restore(NAME, part, { type: 'logs', logs: part.text })
  })
  const wire = {
    type: 'code_interpreter_call',
    ...(id === undefined ? {} : { id }),
    status: isFailed ? 'failed' : (keptWord(code, NAME, 'status') ?? 'completed'),
    container_id: keptWord(code, NAME, 'container_id') ?? '',
    code: code.text,
    outputs: outputs.length === 0 ? null : outputs,
  }
  return restore(NAME, code, wire) as Item // of this kind
}

function encodeImage(part: Media, losses: Losses, context: Encoding): JsonObject {
  const { source } = part
  reportUnsupported(part, FORMS.codeImage, losses, context)
  if (source.kind === 'url' && source.mime !== undefined) losses.dropped(['source', 'mime'], 'responses has URLs alone')
  const url = source.kind === 'base64' ? formatDataUrl(source) : source.kind === 'url' ? source.url : ''
  return restore(NAME, part, { type: 'image', url })
}
