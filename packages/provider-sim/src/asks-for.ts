/** What a prompt asks for among the tools of its request. */
export interface ToolRequest {
  /** The tools that it names, in the order of the request. */
  readonly named: readonly string[]
  /** It asks for tools without a name: "use a tool", "call both tools". */
  readonly any: boolean
  /** It asks for more than one call. */
  readonly several: boolean
}

/**
 * Reads what the user asks for. A name such as `get_weather` is enough. A name that is also a word, such as `write`, must be asked for as a
 * tool: "use write", "the write tool", "`write`". Agents offer such tools with every prompt.
 */
export function readToolRequest(prompt: string, names: readonly string[]): ToolRequest {
  const text = withoutReminders(prompt)
  return {
    named: names.filter((name) => text.includes(name) && isNamed(text, name)),
    any: isWanted(text, ANY_TOOL),
    several: SEVERAL.test(text),
  }
}

const SEVERAL = /\b(?:parallel|several|both|twice)\b|\ball (?:the |your )?tools\b/i
const ANY_TOOL =
  /\b(?:call|use|run|invoke|try)\s+(?:(?:a|any|the|your|some|one|of|both|all|several|these|available)\s+){0,4}(?:tools?|functions?)\b/gi
const NEGATED = /\b(?:not|never|without|don't|cannot)\s+(?:[\w-]+\s+){0,2}$/i
/** The characters before a match in which a negation is looked for. */
const BEFORE = 40

function isNamed(text: string, name: string): boolean {
  const literal = name.replaceAll(/[^\w]/g, String.raw`\$&`)
  const whole = String.raw`(?<![\w-])${literal}(?![\w-])`
  const isWord = /^[A-Za-z][a-z]*$/.test(name)
  const asTool = String.raw`\b(?:call|use|run|invoke|try)\s+(?:the\s+|your\s+)?(?:tool\s+|function\s+)?["'\x60]?${whole}|${whole}["'\x60]?\s+(?:tool|function)\b|\x60${literal}\x60`
  return isWanted(text, new RegExp(isWord ? asTool : whole, 'gi'))
}

/** Whether one of the matches is not denied: "do not use write". */
function isWanted(text: string, pattern: RegExp): boolean {
  for (const { index } of text.matchAll(pattern)) {
    if (!NEGATED.test(text.slice(Math.max(0, index - BEFORE), index))) return true
  }
  return false
}

const OPEN = '<system-reminder>'
const CLOSE = '</system-reminder>'

/** Agents add reminders to what their users write, and these name tools too. */
function withoutReminders(text: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(OPEN, from)
    const end = start < 0 ? -1 : text.indexOf(CLOSE, start)
    if (end < 0) return kept + text.slice(from)
    kept += text.slice(from, start)
    from = end + CLOSE.length
  }
}
