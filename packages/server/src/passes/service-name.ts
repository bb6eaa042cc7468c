/** The form of a service's name, as the end of a sentence. */
export const serviceForm = 'must have 1 to 63 lowercase letters, digits and dashes, such as prometheus'

/** Whether a text can name a service, a program that belongs to no user. */
export const isService = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text)
