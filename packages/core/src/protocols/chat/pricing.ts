import { joinBytes } from '../../lib/frames.ts'
import { OPEN, valuesOf } from '../../lib/scan-json.ts'
import { editTopLevel } from '../../lib/top-level.ts'
import type { AnswerCost, Pricing } from '../protocol.ts'

/** `usage.cost` and `usage.cost_details` in dollars, as OpenRouter writes them. An upstream's own price is replaced. */
export const pricing: Pricing = {
  whole: writeCost,
  frames: (text, cost) =>
    text.replace(DATA, (line, before: string, data: string) => {
      const bytes = USAGE.test(data) ? UTF8.encode(data) : undefined
      const found = bytes === undefined ? undefined : cost()
      return bytes === undefined || found === undefined ? line : before + TEXT.decode(writeCost(bytes, found))
    }),
}

/** A line of data. Other line ends than these are part of the data. */
const DATA = /((?:^|[\r\n])data:)([^\r\n]*)/g
const USAGE = /"usage"\s*:\s*\{/
/** Have no state between calls. */
const UTF8 = new TextEncoder()
const TEXT = new TextDecoder()

function writeCost(body: Uint8Array, { total, input, output, estimated }: AnswerCost): Uint8Array {
  const details = [
    ['upstream_inference_cost', total],
    ['upstream_inference_prompt_cost', input],
    ['upstream_inference_completions_cost', output],
  ] as const
  const written = details.map(([name, nanos]) => `"${name}":${dollars(nanos)}`).join(',')
  const edits = { cost: dollars(total), cost_details: `{${written}${estimated === true ? ',"estimated":true' : ''}}` }
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end } of valuesOf(body, body.indexOf(OPEN), 'usage')) {
    if (body[start] !== OPEN) continue
    pieces.push(body.subarray(from, start), editTopLevel(body.subarray(start, end), edits))
    from = end
  }
  return from === 0 ? body : joinBytes([...pieces, body.subarray(from)])
}

/** Exact, as digits: a quotient of binary fractions would print as 0.30000000000000004. */
function dollars(nanos: number): string {
  const digits = String(nanos).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}
