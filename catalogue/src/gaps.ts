import { tagOf, type ObjectShape, type Shape } from './shape.ts'

/**
 * What `theirs` allows and `ours` does not, as names: `image.transformations` is a member, `thinking=between_tools` a kind,
 * `image_url.detail=original` a value, `inlineData.mimeType?` a member that ours requires. The first word is the kind of the
 * object, or the member that it is in. A null member is one that was not given, so null is never a gap.
 */
export function findGaps(theirs: Shape, ours: Shape): ReadonlySet<string> {
  const gaps = new Set<string>()
  const seen = new Set<string>()

  function compare(value: Shape, known: Shape, owner: string, name: string): void {
    // Any value of theirs can only be described better by ours; any value of ours is kept unread.
    if (value.isAny || known.isAny) return
    const at = `${owner}.${name}`
    if (value.isOpen && !known.isOpen) gaps.add(`${at}=string`)
    // Where theirs takes every text, a value is not a gap if ours takes every text, too. A closed list is known value by value.
    if (!(value.isOpen && known.isOpen))
      for (const word of value.words) if (!known.words.has(word)) gaps.add(`${at}=${word}`)
    if (value.hasNumbers && !known.hasNumbers) gaps.add(`${at}=number`)
    if (value.hasBooleans && !known.hasBooleans) gaps.add(`${at}=boolean`)
    if (value.hasLists && !known.hasLists) gaps.add(`${at}=list`)
    else if (value.hasLists) compare(value.items(), known.items(), owner, name)
    for (const object of value.objects) compareObject(object, known, owner, name)
  }

  function compareObject(object: ObjectShape, known: Shape, owner: string, name: string): void {
    if (known.objects.length === 0) return void gaps.add(`${owner}.${name}=object`)
    const kinds = [...(tagOf(object)?.shape.words ?? [])]
    const alike = known.objects.filter((other) => isAlike(object, other))
    for (const kind of kinds) if (!alike.some((other) => isOfKind(other, object, kind))) gaps.add(`${name}=${kind}`)
    if (alike.length === 0 && kinds.length === 0) gaps.add(`${name}=object`)
    if (alike.length === 0) return
    const pair = `${object.id} ${alike.map(({ id }) => id).join(' ')}`
    if (seen.has(pair)) return
    seen.add(pair)
    for (const other of alike) compareMembers(object, other, kinds.length === 1 ? `${kinds[0]}` : name)
  }

  function compareMembers(object: ObjectShape, known: ObjectShape, owner: string): void {
    if (known.members.size === 0) return compareValues(object, known, owner)
    if (isCut(known)) return
    for (const [name, member] of object.members) {
      if (name === tagOf(object)?.name && !member.shape().isOpen) continue
      const same = known.members.get(name)
      if (same === undefined) gaps.add(`${owner}.${name}`)
      else compare(member.shape(), same.shape(), owner, name)
    }
    for (const [name, { isGiven }] of known.members)
      if (isGiven() && object.members.get(name)?.isGiven() !== true) gaps.add(`${owner}.${name}?`)
  }

  /** An object whose keys are data has no gaps in them. */
  function compareValues(object: ObjectShape, known: ObjectShape, owner: string): void {
    const values = known.values()
    if (values === undefined) return
    for (const { shape } of object.members.values()) compare(shape(), values, owner, 'value')
    const theirValues = object.values()
    if (theirValues !== undefined) compare(theirValues, values, owner, 'value')
  }

  compare(theirs, ours, 'body', 'body')
  return gaps
}

/** An object of the same kind, or one that kinds do not tell apart. */
function isAlike(object: ObjectShape, known: ObjectShape): boolean {
  const tag = tagOf(object)
  const same = tag && known.members.get(tag.name)?.shape()
  if (tag === undefined || same === undefined || tag.shape.isOpen || same.isAny) return true
  return [...tag.shape.words].some((word) => same.words.has(word)) || (same.isOpen && same.words.size === 0)
}

/** Whether the tag of one of ours allows a kind. */
function isOfKind(known: ObjectShape, object: ObjectShape, kind: string): boolean {
  const tag = known.members.get(tagOf(object)?.name ?? '')?.shape()
  return tag === undefined || tag.isAny || tag.isOpen || tag.words.has(kind)
}

/** A block inside a block: its type ends there, so that it is not circular. */
function isCut({ members }: ObjectShape): boolean {
  return members.size === 1 && members.get('type')?.shape().isOpen === true
}
