type Section = {
  /** The heading in docs/configuration.md. */
  heading: string
  /** `otherwise` is the value if the variable is not set. Both texts are Markdown with links relative to docs/configuration.md. */
  variables: readonly { name: `GATEHOUSE_${string}`; otherwise: string; says: string }[]
}

/** Every GATEHOUSE variable that the server reads. docs/configuration.md and systemd/gatehouse.env list the same variables. */
export const variableSections = [
  {
    heading: 'Address and network',
    variables: [
      {
        name: 'GATEHOUSE_PUBLIC_URL',
        otherwise: '`http://localhost` and the port of `GATEHOUSE_LISTEN`',
        says: 'The address that browsers use. It can contain a path; the proxy may pass the path on or remove it.',
      },
      {
        name: 'GATEHOUSE_LISTEN',
        otherwise: '`127.0.0.1:8080`',
        says: 'Host and port that the server listens on.',
      },
      {
        name: 'GATEHOUSE_TRUSTED_PROXIES',
        otherwise: 'none',
        says: 'Addresses or networks of proxies whose `X-Forwarded-For` the server trusts: `127.0.0.1, 10.0.0.0/8`. Required behind a proxy: without it, all users share one rate limit.',
      },
      {
        name: 'GATEHOUSE_DASHBOARD_URL',
        otherwise: 'the account page',
        says: 'Where users go after sign-in: an address, or a path on the same host.',
      },
      {
        name: 'GATEHOUSE_ORIGINS',
        otherwise: 'none',
        says: 'Other origins whose pages may call the server, separated by commas. See [Embedding](embedding.md).',
      },
      {
        name: 'GATEHOUSE_DRAIN',
        otherwise: '`5`',
        says: 'Seconds for which the server keeps answering after SIGTERM, 0 to 600. See [Restart and upgrade](operating.md#restart-and-upgrade).',
      },
    ],
  },
  {
    heading: 'Storage and keys',
    variables: [
      {
        name: 'GATEHOUSE_DATA_DIR',
        otherwise: '`./data`',
        says: 'Folder for the SQLite database and, in development, for the master key and mail.',
      },
      {
        name: 'GATEHOUSE_DATABASE_URL',
        otherwise: '`gatehouse.sqlite` in the data folder',
        says: '`sqlite:/path/to/file` for one server, or `postgres://user:password@host/database` for one or more servers.',
      },
      {
        name: 'GATEHOUSE_MASTER_KEY',
        otherwise: 'created in development',
        says: 'One or more keys, separated by spaces, newlines or commas. Each is base64 of at least 32 random bytes: `openssl rand -base64 32`. The first key encrypts; the others decrypt what they once encrypted.',
      },
      {
        name: 'GATEHOUSE_MASTER_KEY_FILE',
        otherwise: '`master.key` in the data folder (development)',
        says: 'File that contains the same. Set either this variable or `GATEHOUSE_MASTER_KEY`, not both.',
      },
    ],
  },
  {
    heading: 'Users and passwords',
    variables: [
      {
        name: 'GATEHOUSE_ADMINS',
        otherwise: 'in development, the first administrator',
        says: 'Email addresses of administrators, separated by commas.',
      },
      {
        name: 'GATEHOUSE_ADMIN_EMAIL',
        otherwise: '`admin@example.com`',
        says: 'Development only: the administrator that the server creates if the database has no users.',
      },
      {
        name: 'GATEHOUSE_ADMIN_PASSWORD',
        otherwise: 'random, printed once',
        says: "Development only: that administrator's password.",
      },
      {
        name: 'GATEHOUSE_SECOND_FACTOR',
        otherwise: '`skippable`',
        says: '`skippable`: users may skip setting up a second factor up to 3 times within 7 days; administrators may not. `required`: no user may skip it, and the minimum password length is 8 instead of 15. `phishing-resistant` and `phishing-resistant-administrators`: the same, and every user, or every administrator, needs a passkey. See [Require passkeys](passkeys.md#require-passkeys). `off`: the server asks no user to set one up.',
      },
      {
        name: 'GATEHOUSE_PHISHING_RESISTANT_FROM',
        otherwise: 'at once',
        says: 'Day in UTC on which a `phishing-resistant` policy begins: `2027-03-01`. Until then the server reminds users at each sign-in.',
      },
      {
        name: 'GATEHOUSE_PASSKEY_RP_ID',
        otherwise: 'the host of `GATEHOUSE_PUBLIC_URL`',
        says: 'The domain that passkeys are bound to: that host, or a domain above it. Do not change it later: passkeys of another domain stop working. See [Choose the domain of passkeys](passkeys.md#choose-the-domain-of-passkeys).',
      },
      {
        name: 'GATEHOUSE_PASSKEY_RP_ID_BEFORE',
        otherwise: 'none',
        says: 'The domain that passkeys were bound to before a change of `GATEHOUSE_PASSKEY_RP_ID`. It lets the server start with the new domain; the passkeys of the earlier domain stop working.',
      },
      {
        name: 'GATEHOUSE_SECURITY_CONTACT',
        otherwise: 'none',
        says: 'Where to report vulnerabilities: an email address or an https address. The server publishes it in `/.well-known/security.txt` (RFC 9116).',
      },
      {
        name: 'GATEHOUSE_BREACHED_PASSWORDS',
        otherwise: 'none',
        says: 'Sorted file of breached password hashes. See [Refuse breached passwords](operating.md#refuse-breached-passwords).',
      },
      {
        name: 'GATEHOUSE_HASH_THREADS',
        otherwise: 'one for each core',
        says: 'Number of passwords that the server hashes at the same time, 1 to 999. Each thread uses one core at the lowest priority, and 19 MiB.',
      },
      {
        name: 'GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE',
        otherwise: '`off`',
        says: '`on`: the sign-in page sends a code as soon as it has six digits. `off`: the user presses Enter or "Verify".',
      },
    ],
  },
  {
    heading: 'Brand',
    variables: [
      {
        name: 'GATEHOUSE_NAME',
        otherwise: 'the name in `GATEHOUSE_MAIL_FROM`, or Gatehouse',
        says: 'Name of the product on pages, in mails, in authenticator apps and on the home screens of phones. At most 60 characters.',
      },
      {
        name: 'GATEHOUSE_ACCENT',
        otherwise: "Gatehouse's blue",
        says: 'Color of buttons, links and focus rings, in any CSS notation: `#0b6b5d`, `teal`, `oklch(0.48 0.09 180)`. See [Set the accent](branding.md#set-the-accent).',
      },
      {
        name: 'GATEHOUSE_BRAND_DIR',
        otherwise: '`brand` in the data folder, if it exists',
        says: 'Folder with a logo, icons, a background and a style sheet. See [Add a logo](branding.md#add-a-logo-icons-and-a-background).',
      },
      {
        name: 'GATEHOUSE_NOTICE',
        otherwise: 'none',
        says: 'One line of text above the content of every page: `Authorized use only.` At most 240 characters.',
      },
      {
        name: 'GATEHOUSE_HELP_URL',
        otherwise: 'none',
        says: 'Address of the link "Help" below every page and mail: `https://acme.example/help` or `mailto:help@acme.example`.',
      },
      {
        name: 'GATEHOUSE_PRIVACY_URL',
        otherwise: 'none',
        says: 'Address of the link "Privacy".',
      },
      {
        name: 'GATEHOUSE_IMPRINT_URL',
        otherwise: 'none',
        says: 'Address of the link "Imprint".',
      },
      {
        name: 'GATEHOUSE_LANGUAGE',
        otherwise: '`en`',
        says: 'Language of pages for browsers whose languages the server does not have, and of mails to users who have not signed in yet. See [Languages](languages.md).',
      },
    ],
  },
  {
    heading: 'Mail',
    variables: [
      {
        name: 'GATEHOUSE_SMTP_URL',
        otherwise: 'in development, a mailbox at `/mail`',
        says: '`smtps://user:password@host` for TLS from the start, or `smtp://user:password@host:587` for STARTTLS. If the mail server offers no STARTTLS, the server sends nothing, unless the mail server is on the same machine or the URL ends with `?tls=optional`.',
      },
      {
        name: 'GATEHOUSE_MAIL_FROM',
        otherwise: "the product's name and `gatehouse@HOST`",
        says: "Sender of all mail: `Acme Monitoring <sign-in@acme.example>`. The name is also the product's, unless `GATEHOUSE_NAME` is set.",
      },
    ],
  },
  {
    heading: 'Protected applications',
    variables: [
      {
        name: 'GATEHOUSE_PROTECTED_ORIGINS',
        otherwise: 'none',
        says: 'Origins that proxies protect with Gatehouse, separated by commas, each followed by who may enter: `https://grafana.example.com, https://prometheus.example.com administrators second-factor`. See [Who may enter](protecting/README.md#who-may-enter).',
      },
      {
        name: 'GATEHOUSE_RULES',
        otherwise: 'none',
        says: 'A YAML file with [rules](protecting/rules.md) by path, method, network and group, in place of `GATEHOUSE_PROTECTED_ORIGINS`. Each server reloads it when it changes, and on `SIGHUP`. A file with problems stops the start, and never replaces a good one.',
      },
      {
        name: 'GATEHOUSE_OUTAGE_GRACE',
        otherwise: '`0`',
        says: 'Seconds for which checks of recently used sessions pass while PostgreSQL is unreachable, 0 to 900. With 0, every check is refused. See [When the database is down](operating.md#when-the-database-is-down).',
      },
      {
        name: 'GATEHOUSE_OPEN_DOOR_ALARM',
        otherwise: '`off`',
        says: '`on`: every five minutes the server requests the protected origins without a sign-in, and tells administrators if one is not refused. A list of some of these origins, separated by commas: the server requests only those. `off`: it sends no such requests. See [Open-door alarm](protecting/open-door-alarm.md).',
      },
      {
        name: 'GATEHOUSE_COOKIE_DOMAIN',
        otherwise: 'the host of the public URL',
        says: 'Domain whose hosts receive the check cookie: `example.com` for `sign-in.example.com` and `grafana.example.com`. Read [what a hostile host can do](protecting/README.md#what-another-host-of-the-domain-can-do) first.',
      },
    ],
  },
  {
    heading: 'Single sign-on',
    variables: [
      {
        name: 'GATEHOUSE_GOOGLE_CLIENT_ID',
        otherwise: 'none',
        says: 'Client ID at Google. Google sign-in is on if this and the secret are set.',
      },
      {
        name: 'GATEHOUSE_GOOGLE_CLIENT_SECRET',
        otherwise: 'none',
        says: 'Client secret at Google.',
      },
      {
        name: 'GATEHOUSE_GOOGLE_ISSUER',
        otherwise: '`https://accounts.google.com`',
        says: 'Another issuer, for tests.',
      },
      {
        name: 'GATEHOUSE_AZURE_TENANT',
        otherwise: 'none',
        says: 'Microsoft tenant: its ID or domain, several IDs separated by commas, or `organizations`, `consumers` or `common`.',
      },
      {
        name: 'GATEHOUSE_AZURE_CLIENT_ID',
        otherwise: 'none',
        says: 'Client ID at Microsoft Entra.',
      },
      {
        name: 'GATEHOUSE_AZURE_CLIENT_SECRET',
        otherwise: 'none',
        says: 'Client secret at Microsoft Entra.',
      },
      {
        name: 'GATEHOUSE_AZURE_ISSUER',
        otherwise: '`https://login.microsoftonline.com/TENANT/v2.0`',
        says: 'Another issuer, for national clouds and tests.',
      },
      {
        name: 'GATEHOUSE_PAK_ISSUER',
        otherwise: 'none',
        says: 'Issuer of one more OpenID provider, which the sign-in page calls Pak Platform.',
      },
      {
        name: 'GATEHOUSE_PAK_CLIENT_ID',
        otherwise: 'none',
        says: 'Client ID at that provider.',
      },
      {
        name: 'GATEHOUSE_PAK_CLIENT_SECRET',
        otherwise: 'none',
        says: 'Client secret at that provider.',
      },
      {
        name: 'GATEHOUSE_PROVIDERS',
        otherwise: 'in production, the configured providers and `pak`; in development, all three',
        says: 'Buttons on the sign-in page, in this order: `azure,google`, or `none`.',
      },
      {
        name: 'GATEHOUSE_SSO_PROVISION',
        otherwise: '`off`',
        says: '`on`: the server creates an account for users whose email address the provider has verified. `off`: a provider signs in only users who have linked it.',
      },
      {
        name: 'GATEHOUSE_SSO_TRUSTED',
        otherwise: 'none',
        says: 'Providers whose own second factor counts at Gatehouse: `google,azure`.',
      },
      {
        name: 'GATEHOUSE_SSO_GROUPS',
        otherwise: 'none',
        says: 'Groups for values of the claim `groups` of a provider, separated by commas: `azure:8b1f0c3a-1c0e-4f6e-9f57-2d7b0a1c9e11=oncall, pak:platform-sre=sre`. The server ignores other values. See [Groups from a provider](protecting/rules.md#groups-from-a-provider).',
      },
      {
        name: 'GATEHOUSE_SSO_PRIVATE',
        otherwise: '`off`',
        says: '`on`: the server may contact providers in private networks.',
      },
    ],
  },
  {
    heading: 'Phone approval',
    variables: [
      {
        name: 'GATEHOUSE_PUSH_PRIVATE',
        otherwise: '`off`',
        says: '`on`: the server may contact push services in private networks.',
      },
      {
        name: 'GATEHOUSE_NTFY_URL',
        otherwise: 'none',
        says: 'Address of an ntfy server that notifies phones.',
      },
      {
        name: 'GATEHOUSE_GOTIFY_URL',
        otherwise: 'none',
        says: 'Address of a Gotify server that notifies phones.',
      },
      {
        name: 'GATEHOUSE_GOTIFY_TOKEN',
        otherwise: 'none',
        says: 'Token of a Gotify application. Required with `GATEHOUSE_GOTIFY_URL`.',
      },
    ],
  },
  {
    heading: 'Metrics',
    variables: [
      {
        name: 'GATEHOUSE_METRICS_LISTEN',
        otherwise: 'none',
        says: 'Host and port of a separate listener for `/metrics`: `10.0.0.5:9464`. See [Metrics, alerts and logs](observability/README.md).',
      },
    ],
  },
] as const satisfies readonly Section[]
