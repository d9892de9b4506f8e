/** The text of an answer that is not ended cleanly. Throws if it is. */
export async function brokenText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    return text
  }
  throw new Error(`The answer ended cleanly: ${text}`)
}
