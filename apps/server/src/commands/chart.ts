/** One bar for each value, as long as its share of the largest one. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** The text behind the bar. */
  readonly text: string
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const NARROWEST = 10

/** Horizontal bars with labels on their left and values on their right. */
export function chartOf(bars: readonly Bar[], columns: number): string {
  const largest = Math.max(...bars.map(({ value }) => value), 0)
  const labels = Math.max(...bars.map(({ label }) => label.length), 0)
  const texts = Math.max(...bars.map(({ text }) => text.length), 0)
  const room = Math.max(NARROWEST, columns - labels - texts - 4)
  return bars
    .map(({ label, value, text }) => {
      const eighths = largest === 0 ? 0 : Math.round((value / largest) * room * 8)
      const bar = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
      return `${label.padEnd(labels)}  ${bar.padEnd(room)}  ${text.padStart(texts)}\n`
    })
    .join('')
}
