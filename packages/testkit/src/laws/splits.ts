import { createLosses, type Protocol } from '@dragoman/core'
import { bytesOf, cutBytes, cutsApart, decodeStream, encodeStream } from './streams.ts'
import { createExchange, type Subject, type WireStream } from './subject.ts'

/** Splits: the output does not depend on where the bytes are cut. */
export function mustIgnoreSplits(
  protocol: Protocol,
  subject: Subject,
  stream: WireStream,
  positions: readonly (readonly number[])[],
): void {
  const bytes = bytesOf(stream.frames.join(''))
  const through = (cuts: readonly number[]) => {
    const exchange = createExchange(protocol, subject, { toward: 'client' })
    return encodeStream(
      protocol,
      decodeStream(protocol, cutBytes(bytes, cuts), exchange.decode),
      exchange.encode(createLosses()),
    )
  }
  const expected = through([])
  for (const cuts of positions) {
    const text = through(cuts)
    if (text !== expected) throw new Error(`cut at ${cuts.join(', ')}\n got      ${text}\n expected ${expected}`)
  }
}

/** The most lists of cuts: positions far into a long event show no more. */
const MOST = 600

/** Every position of a stream, one cut in each event, and all of them at once. */
export function everyPosition(stream: WireStream): number[][] {
  const bytes = bytesOf(stream.frames.join(''))
  return [...cutsApart(bytes).slice(0, MOST), [...bytes.keys()]]
}
