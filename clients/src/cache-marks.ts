/** All cache marks in a body with their paths, such as `messages.0.content.1 {"type":"ephemeral"}`. */
export function cacheMarks(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'cache_control' in value && value.cache_control !== null ? [markAt(path, value.cache_control)] : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => cacheMarks(inner, path === '' ? key : `${path}.${key}`)),
  ]
}

function markAt(path: string, mark: unknown): string {
  return `${path} ${JSON.stringify(mark)}`.trim()
}
