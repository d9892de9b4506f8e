/** The code of the first pieces is not compiled yet. */
const WARM_UP = 5
const LEAST = 5

/** The CPU time of a fixed piece of work, measured again and again while checks run. */
export interface Pieces {
  readonly sample: () => void
  /** The median in milliseconds; undefined after few samples. */
  readonly medianMs: () => number | undefined
}

/**
 * The CPU time of the same checks differs by half between machines, and both cores of a small machine are slower when both are busy. The same
 * is true for this piece, so the number of pieces that the checks could have been shows whether they have grown.
 */
export function createPieces(cpuMs: () => number = ownCpuMs): Pieces {
  const samples: number[] = []
  return {
    sample() {
      const before = cpuMs()
      workOnce()
      samples.push(cpuMs() - before)
    },
    medianMs() {
      const warm = samples.slice(WARM_UP).toSorted((left, right) => left - right)
      return warm.length < LEAST ? undefined : warm[Math.floor(warm.length / 2)]
    },
  }
}

/** `1074.0 s of CPU time are 147123 pieces of a fixed work, each 7.3 ms here: the number to compare between machines` */
export function piecesText(pieceMs: number | undefined, cpuSeconds: number): string | undefined {
  if (pieceMs === undefined) return undefined
  const pieces = Math.round((cpuSeconds * 1000) / pieceMs)
  return `${cpuSeconds.toFixed(1)} s of CPU time are ${pieces} pieces of a fixed work, each ${pieceMs.toFixed(1)} ms here: the number to compare between machines`
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What converters do: text is parsed, objects are copied, looked up and sorted, and written as text. */
function workOnce(): number {
  const messages = JSON.parse(TEXT) as { readonly id: number; readonly text: string }[] // written below
  const byId = new Map(messages.map((message) => [message.id, { ...message, words: message.text.split(' ') }]))
  const sorted = [...byId.values()].toSorted((left, right) => (left.text < right.text ? -1 : 1))
  return JSON.stringify(sorted).length
}

const TEXT = JSON.stringify(
  Array.from({ length: 4000 }, (_none, id) => ({ id, text: `message ${(id * 7919) % 4000} of a piece of work` })),
)
