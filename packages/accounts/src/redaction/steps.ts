import { STEPS_PER_TURN } from '../patterns/search.ts'

/** Work in small steps: yields the size of each one, about one for each character. */
export type Steps<Result> = Generator<number, Result>

/** The most characters of one step. */
export const MOST_PER_STEP = 16_384

/** Runs work so that others run in between. `pause` is awaited about every millisecond, and gets the size of what was done before. */
export async function runSteps<Result>(steps: Steps<Result>, pause: (done: number) => Promise<void>): Promise<Result> {
  let done = 0
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    done += step.value
    if (done < STEPS_PER_TURN) continue
    await pause(done)
    done = 0
  }
}

/** Joins many texts. */
export function* joinTexts(texts: readonly string[], separator: string): Steps<string> {
  const parts: string[] = []
  for (let at = 0; at < texts.length; at += MOST_TEXTS) {
    const part = texts.slice(at, at + MOST_TEXTS).join(separator)
    parts.push(part)
    yield part.length + MOST_TEXTS
  }
  return parts.join(separator)
}

const MOST_TEXTS = 2048
