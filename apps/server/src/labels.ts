import type { Attempt, BreakerState, StageCall } from '@dragoman/gateway'

/** Callers can name models that no card lists. From this number on they share a label, so that memory is bounded. */
const MOST_MODELS = 500
const LONGEST_MODEL = 256

/** Creates the function that gives the label of a model. */
export function createModelLabel(): (model: string | undefined) => string {
  const known = new Set<string>()
  return (model = '') => {
    if (known.has(model)) return model
    if (known.size >= MOST_MODELS || model.length > LONGEST_MODEL) return 'other'
    known.add(model)
    return model
  }
}

/**
 * Why an attempt failed: how the connection failed, the status of the upstream, or the kind of error. Undefined if it did not fail. There
 * are few different values.
 */
export function errorTypeOf({ outcome, failure, status, error }: Attempt): string | undefined {
  if (outcome === 'complete' || outcome === 'aborted') return outcome === 'complete' ? undefined : outcome
  return failure ?? (status !== undefined && status >= 400 ? String(status) : (error ?? outcome))
}

/** Milliseconds from the start of a call to the first byte of its streamed answer; undefined if it is not streamed or has no byte. */
export function firstTokenMs({ startedAt }: StageCall, attempt: Attempt): number | undefined {
  const { stream, status, firstByteMs } = attempt
  return stream && status === 200 && firstByteMs !== undefined ? attempt.startedAt - startedAt + firstByteMs : undefined
}

/** A breaker as a number, so that alerts can compare it. */
export interface BreakerValue {
  readonly provider: string
  /** Absent for the provider itself. */
  readonly model: string | undefined
  readonly value: number
  /** The callers for which it is not closed. */
  readonly callers: number
}

const VALUE_OF: { readonly [state in BreakerState['state']]: number } = { closed: 0, 'half-open': 1, open: 2 }

/** The worst state is last, and beside it the most callers: models can share a label. */
export function breakerValues(
  states: readonly BreakerState[],
  modelOf: (model: string) => string,
): readonly BreakerValue[] {
  return states
    .map(({ provider, model, state, callers }) => ({
      provider,
      model: model === undefined ? undefined : modelOf(model),
      value: VALUE_OF[state],
      callers,
    }))
    .toSorted((left, right) => left.value - right.value || left.callers - right.callers)
}
