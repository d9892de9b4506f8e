/** One frame of a stream, as the specification of server-sent events reads it; an independent reader, for the strict side. */
export interface Frame {
  readonly event: string | undefined
  readonly data: string
}

/** Throws on text behind the last complete frame: a client would never see it. */
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
