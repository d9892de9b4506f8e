/** The paths of all cache marks in a body, such as `messages.0.content.1`. */
export function cacheMarks(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'cache_control' in value && value.cache_control !== null ? [path] : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => cacheMarks(inner, path === '' ? key : `${path}.${key}`)),
  ]
}
