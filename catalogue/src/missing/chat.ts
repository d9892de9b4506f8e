/** What the types of the SDK have and our grammar does not, and why. */
export const chat = {
  'body.model?': 'a gateway has no default model for images: the specification requires it',
  'data.object=embedding': 'read as any text',
  'body.object=list': 'read as any text',
}
