import type { CallRecord } from '@dragoman/accounts'

type Items = CallRecord['items']

/** The items of a cost as a short text: name, quantity and nano-dollars of each. */
export function packItems(items: Items): string | null {
  return items.length === 0 ? null : items.map(({ name, quantity, nanos }) => `${name} ${quantity} ${nanos}`).join(',')
}

export function unpackItems(text: string | null): Items {
  if (text === null) return []
  return text.split(',').map((item) => {
    const [name, quantity, nanos] = item.split(' ')
    return { name: name as Items[number]['name'], quantity: Number(quantity), nanos: Number(nanos) } // written by packItems
  })
}
