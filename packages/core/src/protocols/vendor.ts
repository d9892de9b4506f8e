/**
 * Adds members that the types here do not know, at any depth of a body: `vendor({ role: 'user', content: 'Hi' }, { mood: 'curious' })`.
 * They are kept for an upstream of the same protocol, and reported as losses for any other.
 */
export function vendor<const Node extends object>(node: Node, members: object): Node {
  return { ...node, ...members }
}
