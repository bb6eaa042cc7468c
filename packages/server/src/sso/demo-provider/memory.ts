import type { Adapter, AdapterPayload } from 'oidc-provider'

/** The provider's storage, in memory. Deletes expired values before each lookup. */
export const createMemory = () => {
  const kept = new Map<string, { kind: string; payload: AdapterPayload; until: number }>()

  const forgetOld = () => {
    for (const [key, { until }] of kept) if (until <= Date.now()) kept.delete(key)
  }

  return (kind: string): Adapter => {
    const find = async (id: string) => {
      forgetOld()
      return kept.get(`${kind} ${id}`)?.payload
    }
    const findBy = (field: 'uid' | 'userCode') => async (value: string) => {
      forgetOld()
      return [...kept.values()].find(one => one.kind === kind && one.payload[field] === value)?.payload
    }
    return {
      find,
      findByUid: findBy('uid'),
      findByUserCode: findBy('userCode'),
      upsert: async (id, payload, seconds) => {
        kept.set(`${kind} ${id}`, { kind, payload, until: seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000 })
      },
      consume: async id => {
        const payload = await find(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async id => void kept.delete(`${kind} ${id}`),
      revokeByGrantId: async grantId => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
