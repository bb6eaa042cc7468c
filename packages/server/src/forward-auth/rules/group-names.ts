/** Words that already have a meaning in rules and in `Remote-Groups`. A provider must not create the group `administrators`. */
const reserved: readonly string[] = ['administrators', 'users', 'everyone', 'pass', 'services']

/** Whether a group may have this name. `Remote-Groups` separates names by commas, and some applications ignore case. */
export const isGroupName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && !reserved.includes(name)

export const groupNameForm =
  'must have 1 to 63 lower-case letters, digits, dots, dashes or underscores, and not be administrators, users, everyone, pass or services'

/** The groups of a list as the database stores it. */
export const groupsIn = (stored: string): string[] => stored.split(' ').filter(isGroupName)
