/** Enables providers with the cards of their vendors, at the upstream of the audit. */
export function vendors(url: string): { readonly [name: string]: string } {
  return {
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'sk-upstream',
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: 'sk-upstream',
    GEMINI_BASE_URL: url,
  }
}
