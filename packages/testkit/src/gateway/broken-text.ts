/** The text of an answer, and whether it was not ended cleanly. */
export async function readText({ body }: Response): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    return { text, isBroken: true }
  }
  return { text, isBroken: false }
}

/** The text of an answer that is not ended cleanly. Throws if it is. */
export async function brokenText(answer: Response): Promise<string> {
  const { text, isBroken } = await readText(answer)
  if (isBroken) return text
  throw new Error(`The answer ended cleanly: ${text}`)
}
