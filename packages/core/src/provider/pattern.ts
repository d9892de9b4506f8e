/** Whether the name of a card is a prefix with a star: the card of all models with this prefix that have no card. */
export function isPattern(name: string): boolean {
  return name.endsWith('*')
}
