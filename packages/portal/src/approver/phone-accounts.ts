/** An account whose sign-ins this phone approves, and its key. */
export type PhoneAccount = {
  factorUUID: string
  userId: string
  username: string
  /** The server's origin at the enrollment. Signatures cover it, even if the page is open at another address. */
  origin: string
  productName: string
  privateKey: CryptoKey
}

/** Stores the accounts of this phone. */
export type PhoneAccounts = {
  list: () => Promise<PhoneAccount[]>
  keep: (account: PhoneAccount) => Promise<void>
  forget: (factorUUID: string) => Promise<void>
}

const store = 'accounts'

/** Opens the store in IndexedDB. Rejects if the browser has none, as in some private windows. */
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
