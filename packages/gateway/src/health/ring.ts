/** Equal spans of time, each with a bucket. The buckets of past spans are used again. */
export interface Ring<T extends object> {
  /** The bucket of the present span. */
  at(now: number): T
  /** Visits the buckets of the latest spans, the present one included. */
  each(now: number, visit: (bucket: T) => void): void
  copy(): Ring<T>
}

export interface RingOptions<T extends object> {
  readonly spanMs: number
  readonly spans: number
  readonly create: () => T
  readonly clear: (bucket: T) => void
}

export function createRing<T extends object>(options: RingOptions<T>): Ring<T> {
  return ringOf(
    options,
    Array.from({ length: options.spans }, () => undefined),
  )
}

type Slot<T> = { span: number; readonly bucket: T } | undefined

function ringOf<T extends object>(options: RingOptions<T>, slots: Slot<T>[]): Ring<T> {
  const { spanMs, spans, create, clear } = options
  return {
    at(now) {
      const span = Math.floor(now / spanMs)
      const slot = slots[span % spans]
      if (slot === undefined) {
        const bucket = create()
        slots[span % spans] = { span, bucket }
        return bucket
      }
      if (slot.span !== span) {
        slot.span = span
        clear(slot.bucket)
      }
      return slot.bucket
    },
    each(now, visit) {
      const present = Math.floor(now / spanMs)
      for (const slot of slots) {
        // A clock can be set back: buckets from a future that is not close are skipped, too.
        if (slot !== undefined && Math.abs(present - slot.span) < spans) visit(slot.bucket)
      }
    },
    copy() {
      const copies = slots.map((slot) => slot && { span: slot.span, bucket: { ...slot.bucket } })
      return ringOf(options, copies)
    },
  }
}
