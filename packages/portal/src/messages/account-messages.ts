import type { NoPasskey } from '@gatehouse/sign-in/passkeys'
import type { ActivityKind, ChallengeRespondedReason, PassProblem, Place } from '@gatehouse/wire'

/** The texts of one kind of change to the account. Each kind has its own dialog. */
type Act = { open: string; title: string; text: string; submit: string; running: string; done: string }

/** The texts of the account page, except those in `PortalMessages`. The administration page shows some of them too. */
export type AccountMessages = {
  administration: string
  /** Accessible name of the links to the sections. */
  sections: string
  /** The region of the toasts, and the button that closes one. */
  toasts: { region: string; close: string }
  /** Less than a minute ago. */
  justNow: string
  cancel: string
  close: string
  /** The browser and its operating system, such as `Firefox on Linux`. */
  device: { unknown: string; on: (browser: string, system: string) => string }
  /** An IP address and where it is. */
  place: Record<Exclude<Place, 'Elsewhere'>, (address: string) => string>
  /** A device, and an address as in `place`. */
  deviceAt: (device: string, place: string) => string
  /** Reauthentication: asks for the password or a passkey if the last sign-in is too old. */
  confirm: {
    title: string
    text: string
    submit: string
    running: string
    /** For a user who has a passkey and no password. */
    textOfPasskey: string
    usePasskey: string
    noPasskey: string
  }
  /** Asks a user without a password to sign in again. */
  signInAgain: string
  /** A provider's second factor opened the session, but the change requires the user's own. */
  signInWithFactor: string
  /** As `signInWithFactor`, for a user without a password: a sign-in with the provider never asks for the user's own second factor. */
  setPasswordFirst: string
  passwordWrong: string
  /** Why the server refused the name of a second factor or a pass. */
  names: {
    missing: string
    untypable: string
    tooLong: (most: number) => string
    length: (most: number) => string
    /** For a reason that this page does not know, because the server is newer. */
    refused: string
  }
  credentials: {
    title: string
    email: Act & { label: string; field: string; missing: string; malformed: string; same: string }
    password: Act & {
      label: string
      set: string
      old: string
      next: string
      again: string
      length: (least: number) => string
      /** Replaces `text` for a user who has passes. */
      textWithPasses: string
    }
    /** For a user without a password. */
    create: Omit<Act, 'open'> & { open: string; notSet: string; textWithPasses: string }
  }
  factors: {
    title: string
    text: string
    none: string
    /**
     * Replaces `none` for an account without a password; `providers` is a list of the `count` linked ones, such as `Google and Microsoft`.
     */
    noneWithoutPassword: (providers: string, count: number) => string
    skipped: (times: number) => string
    /** Both are how long ago, such as `2 minutes ago`. */
    used: (added: string, used: string) => string
    neverUsed: (added: string) => string
    /** The user has a second factor but signed in without it. */
    lower: string
    /** Replaces `lower` for a user without a password. */
    lowerWithoutPassword: string
    most: (count: number) => string
    /** Beside the last second factor, if the user must keep it. */
    lastStays: string
    /** For a passkey without which the user cannot sign in. */
    lastWay: string
    /** Replaces the name of an authenticator app that its user has not named. */
    authenticatorApp: string
    add: Act & { name: string; nameHint: string; nameMissing: string }
    scan: { text: string; code: string; submit: string; running: string }
    /** A phone that approves sign-ins, instead of an app that shows codes. */
    phone: Act & {
      /** Beside its name in the list. */
      tag: string
      /** The phone's name until it sends its own. */
      provisional: (nth: number) => string
      scan: string
      qrCode: string
      sameDevice: string
      copy: string
      copied: string
      selected: string
      waiting: string
      asked: string
      verified: string
      failed: Record<ChallengeRespondedReason['tag'], string>
      expired: string
      again: string
      asking: string
    }
    /** Instead of a list, for a user whose only second factors are passkeys. */
    onlyPasskeys: string
    rename: Omit<Act, 'open' | 'text'> & { open: string; of: (name: string) => string }
    remove: Omit<Act, 'title' | 'text' | 'done'> & {
      of: (name: string) => string
      title: (name: string) => string
      text: string
      textOfPhone: string
      textOfLast: string
      textOfLastPhone: string
      warningOfLast: string
      textOfPasskey: string
      textOfLastPasskey: string
      done: (name: string) => string
    }
    wrongCode: string
    notSixDigits: string
    over: string
    nameTaken: string
    gone: string
  }
  passkeys: {
    title: string
    text: string
    none: string
    unsupported: string
    /** Tags beside a passkey's name: a password manager copies the passkey to other devices, or it stays on one device. */
    synced: string
    bound: string
    /** Below a passkey that the password manager created without asking. */
    automatic: string
    /** Below a passkey that signs in only after the password or a linked account. It was imported from another program. */
    secondFactorOnly: string
    /** Below a passkey that the site no longer accepts: it was made for another domain, or the site has passkeys off. */
    unusable: string
    name: string
    rename: string
    most: (count: number) => string
    add: Omit<Act, 'done'> & {
      done: (name: string) => string
      /** The server already has this passkey, or the account has the maximum number. */
      refused: string
      /** Why the browser created none. */
      none: Record<NoPasskey, string>
    }
  }
  recovery: Act & {
    heading: string
    left: (count: number) => string
    /** Below the number of codes, if some are left. */
    each: string
    shownTitle: string
    saved: string
    first: string
  }
  sessions: {
    title: string
    text: string
    own: string
    /** Both are how long ago, such as `2 minutes ago`. */
    times: (since: string, seen: string) => string
    end: string
    endOf: (device: string, address: string) => string
    ended: string
    one: { title: string; text: (device: string, place: string) => string; submit: string; running: string }
    others: Act
  }
  knownBrowsers: {
    title: string
    text: string
    own: string
    none: string
    /** Both are how long ago, such as `2 minutes ago`. */
    times: (first: string, last: string) => string
    /** If the first sign-in is unknown. */
    last: (last: string) => string
    forget: string
    forgetOf: (device: string) => string
    /** If the address is known. */
    forgetOfAt: (device: string, address: string) => string
    forgotten: string
    one: { title: string; text: (device: string) => string; submit: string; running: string }
    others: Act
  }
  passes: {
    title: string
    text: string
    /** The user has passes, but no rule admits passes now. */
    noRule: string
    none: string
    most: (count: number) => string
    /** What a pass allows: HTTP methods, such as `GET, POST`, and networks, such as `10.0.0.0/8`. */
    unlimited: string
    methods: (methods: string) => string
    networks: (networks: string) => string
    methodsAndNetworks: (methods: string, networks: string) => string
    /** `created` is how long ago, `ends` a date and time. */
    times: (created: string, ends: string) => string
    used: (when: string) => string
    usedFrom: (when: string, address: string) => string
    neverUsed: string
    add: Omit<Act, 'done'> & {
      fields: Record<'name' | 'to' | 'methods' | 'from', { label: string; caption: string }>
      days: { label: string; of: (days: number) => string; onDate: string }
      date: { label: string; caption: string; wrong: string }
      nameMissing: string
      toMissing: string
      /** For a field with too many entries. */
      tooMany: (most: number) => string
      /**
       * Why the server refused an entry: an address, a method or a network. Addresses are like `https://grafana.example.com/api/*`, where
       * the asterisk stands for everything below; other patterns are not allowed.
       */
      problems: Record<PassProblem, (entry: string) => string>
      passkeyFirst: string
    }
    shown: { title: string; text: string; copy: string; copied: string; selected: string; saved: string }
    end: {
      open: string
      of: (name: string) => string
      title: (name: string) => string
      text: string
      submit: string
      running: string
      done: string
    }
  }
  activity: {
    title: string
    text: string
    none: string
    more: string
    loading: string
    shown: (count: number) => string
    /** Replaces several consecutive entries of the kind `Administered`. */
    administered: (count: number) => string
    period: (first: string, last: string) => string
    kinds: Record<ActivityKind, string>
  }
  /** The language of the pages and emails. `automatic` is the choice of the browser's language. */
  language: Omit<Act, 'done'> & { heading: string; label: string; automatic: string }
  timeZone: Act & {
    heading: string
    label: string
    suggest: (zone: string) => string
    /** The first parts of the names of time zones, such as `Europe/Amsterdam`: continents and oceans. */
    regions: Record<
      'Africa' | 'America' | 'Antarctica' | 'Arctic' | 'Asia' | 'Atlantic' | 'Australia' | 'Europe' | 'Indian' | 'Pacific' | 'UTC',
      string
    >
  }
}
