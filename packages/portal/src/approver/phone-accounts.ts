/** An account that this phone approves sign-ins of, and the key it does so with. */
export type PhoneAccount = {
  factorUUID: string
  userId: string
  username: string
  /** Of the server as it was at the enrolment, which is what is signed; the page may be open under another name. */
  origin: string
  productName: string
  privateKey: CryptoKey
}

/** Where the accounts of this phone are kept. */
export type PhoneAccounts = {
  list: () => Promise<PhoneAccount[]>
  keep: (account: PhoneAccount) => Promise<void>
  forget: (factorUUID: string) => Promise<void>
}

const store = 'accounts'

/** Opens the phone's own store. Rejects where the browser has none, as in some private windows. */
export const openPhoneAccounts = async (): Promise<PhoneAccounts> => {
  const opening = indexedDB.open('gatehouse-approver', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store, { keyPath: 'factorUUID' })
  const database = await settled(opening)
  const table = (mode: IDBTransactionMode) => database.transaction(store, mode).objectStore(store)
  return {
    list: () => settled<PhoneAccount[]>(table('readonly').getAll()),
    keep: async account => void (await settled(table('readwrite').put(account))),
    forget: async factorUUID => void (await settled(table('readwrite').delete(factorUUID))),
  }
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
