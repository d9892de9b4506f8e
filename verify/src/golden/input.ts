import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { STATUS_OF } from '@dragoman/core/codec'
import { CORPUS } from '../fidelity/corpus.ts'
import type { Kind, ProtocolName } from '../fidelity/fact.ts'
import type { JsonObject } from '../fidelity/json.ts'

/** One input of the golden run. */
export interface Input {
  readonly id: string
  /** `failure`: an error of our own, which has no protocol yet. */
  readonly kind: Kind | 'failure'
  readonly from: ProtocolName
  /** A body; for streams `text`, the events as they are sent; for errors `status` and `body`; for failures `kind`. */
  readonly wire: JsonObject
}

/** The generated inputs, one JSON object per line. They are stored so that a change of the generators does not change them. */
export const STORED = join(import.meta.dirname, 'inputs.jsonl.br')

/** All inputs: the fixtures of the fidelity corpus, our own errors, and the stored inputs. */
export function readInputs(): readonly Input[] {
  const inputs = [...fixtures(), ...failures(), ...stored()]
  const ids = new Set<string>()
  for (const { id } of inputs) {
    if (ids.has(id)) throw new Error(`Two inputs have the id ${id}.`)
    ids.add(id)
  }
  return inputs
}

function fixtures(): Input[] {
  return CORPUS.map(({ area, name, kind, from, wire }) => {
    const words = name.replaceAll(/[^\w]+/g, '-')
    return { id: `${area}/${words}/${from}-${kind}`, kind, from, wire }
  })
}

function failures(): Input[] {
  return Object.keys(STATUS_OF).map((kind) => ({
    id: `failure/${kind}`,
    kind: 'failure',
    from: 'chat',
    wire: { kind },
  }))
}

function stored(): Input[] {
  const lines = brotliDecompressSync(readFileSync(STORED)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Input) // written by generate.ts
}
