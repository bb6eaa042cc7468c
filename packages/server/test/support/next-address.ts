let addresses = 0

/** Returns the next address of 10.0.0.0/8. */
export const nextAddress = () => {
  const n = ++addresses
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
}
