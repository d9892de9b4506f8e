/** One frame of a stream by the specification of server-sent events. This reader is independent of the core. */
export interface Frame {
  readonly event: string | undefined
  readonly data: string
}

/** Throws if text follows the last complete frame, because a client would never see it. */
export function framesOf(text: string): Frame[] {
  const frames: Frame[] = []
  let event: string | undefined
  let data: string[] = []
  let open = false
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    open = line !== ''
    if (line === '') {
      if (data.length > 0) frames.push({ event, data: data.join('\n') })
      event = undefined
      data = []
    } else if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
  if (open || data.length > 0) throw new Error(`the last frame is not complete: ${text.slice(-80)}`)
  return frames
}
