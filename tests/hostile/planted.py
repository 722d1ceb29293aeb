"""Texts with a secret in them, and harmless ones that look alike. All secrets are invented, and made when they are used."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

HEX, DIGITS, LETTERS = "0123456789abcdef", string.digits, string.ascii_letters
ALNUM, UPPER = string.ascii_letters + string.digits, string.ascii_uppercase + string.digits
URLSAFE, BASE64 = ALNUM + "-_", ALNUM + "+/"


def _made(name: str, signs: str, count: int) -> str:
    """Random signs that are the same in every run; with a digit, a capital and a small letter where there are any."""
    chance = random.Random(name)
    made = "".join(chance.choice(signs) for _ in range(count))
    wanted = [
        chance.choice([s for s in signs if s in kind])
        for kind in (DIGITS, string.ascii_lowercase, string.ascii_uppercase)
        if set(signs) & set(kind)
    ]
    return made[: count - len(wanted)] + "".join(wanted)


def _key(prefix: str, signs: str, count: int, end: str = "") -> Callable[[str], str]:
    return lambda name: prefix + _made(name + prefix, signs, count) + end


def _jwt(name: str) -> str:
    parts = [json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps({"sub": name, "iat": 1516239022})]
    encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, _made(name, URLSAFE, 43)])


def _pem(kind: str) -> Callable[[str], str]:
    def made(name: str) -> str:
        lines = [_made(f"{name}{line}", BASE64, 64) for line in range(6)]
        return "\n".join([f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"])

    return made


def password(name: str) -> str:
    """What a person would choose."""
    chance = random.Random(name)
    word = chance.choice(
        ["swordfish", "hunter", "Tr0ub4dor", "kestrel", "Wombat", "orchid", "zanzibar", "Quokka", "marmot"]
    )
    return (
        word
        + chance.choice(["", "!", "_", "-", "#", "$"])
        + str(chance.randrange(2, 9999))
        + chance.choice(["", "!", "xx", "Z"])
    )


BY_SHAPE: dict[str, Callable[[str], str]] = {
    "OpenAI": _key("sk-" + "proj-", URLSAFE, 60),
    "OpenAI, old": _key("sk" + "-", ALNUM, 48),
    "Anthropic": _key("sk-" + "ant-api03-", URLSAFE, 80),
    "OpenRouter": _key("sk-" + "or-v1-", HEX, 64),
    "Groq": _key("gs" + "k_", ALNUM, 52),
    "Replicate": _key("r8" + "_", ALNUM, 37),
    "Perplexity": _key("pp" + "lx-", ALNUM, 48),
    "xAI": _key("x" + "ai-", ALNUM, 80),
    "Hugging Face": _key("h" + "f_", LETTERS, 34),
    "GitHub": _key("gh" + "p_", ALNUM, 36),
    "GitHub app": _key("gh" + "s_", ALNUM, 36),
    "GitHub, fine-grained": _key("github" + "_pat_11", ALNUM, 57),
    "GitLab": _key("gl" + "pat-", URLSAFE, 20),
    "AWS id": _key("AK" + "IA", UPPER, 16),
    "AWS temporary id": _key("AS" + "IA", UPPER, 16),
    "Google API": _key("AI" + "za", URLSAFE, 35),
    "Google client secret": _key("GOC" + "SPX-", URLSAFE, 28),
    "Google token": _key("ya" + "29.", URLSAFE, 120),
    "Google refresh": _key("1/" + "/0", URLSAFE, 60),
    "Slack bot": _key("xo" + "xb-1234567890-2345678901-", ALNUM, 24),
    "Slack user": _key("xo" + "xp-1234567890-2345678901-3456789012-", HEX, 32),
    "Slack app": _key("xa" + "pp-1-A0123ABC-1234567890-", HEX, 64),
    "Slack webhook": _key("https://hooks." + "slack.com/services/T0AB12CD3/B0EF45GH6/", ALNUM, 24),
    "Discord webhook": _key("https://discord." + "com/api/webhooks/123456789012345678/", URLSAFE, 68),
    "Stripe": _key("sk" + "_live_", ALNUM, 24),
    "Stripe restricted": _key("rk" + "_live_", ALNUM, 24),
    "Stripe webhook": _key("whs" + "ec_", ALNUM, 32),
    "Twilio": _key("S" + "K", HEX, 32),
    "SendGrid": lambda name: "S" + "G." + _made(name, URLSAFE, 22) + "." + _made(name + "2", URLSAFE, 43),
    "Mailgun": _key("k" + "ey-", HEX, 32),
    "Mailchimp": _key("", HEX, 32, "-us" + "12"),
    "Vault": _key("hv" + "s.", ALNUM, 90),
    "Databricks": _key("da" + "pi", HEX, 32),
    "DigitalOcean": _key("dop" + "_v1_", HEX, 64),
    "npm": _key("np" + "m_", ALNUM, 36),
    "PyPI": _key("py" + "pi-AgEIcHlwaS5vcmc", URLSAFE, 140),
    "Telegram": _key("123456789:" + "AA", URLSAFE, 33),
    "Discord bot": lambda name: "M" + _made(name, ALNUM, 23) + "." + _made(name + "2", ALNUM, 6) + "." + _made(name + "3", ALNUM, 38),
    "Azure storage": _key("", BASE64, 86, "=="),
    "Azure client secret": lambda name: "a1B" + "8Q~" + _made(name, ALNUM, 34),
    "Shopify": _key("shp" + "at_", HEX, 32),
    "Notion": _key("nt" + "n_", ALNUM, 46),
    "Linear": _key("lin_" + "api_", ALNUM, 40),
    "Grafana": _key("gl" + "sa_", ALNUM, 41),
    "Docker": _key("dck" + "r_pat_", URLSAFE, 27),
    "New Relic": _key("NR" + "AK-", UPPER, 27),
    "Postman": _key("PM" + "AK-", HEX, 59),
    "Terraform": lambda name: _made(name, ALNUM, 14) + ".atlas" + "v1." + _made(name + "2", ALNUM, 67),
    "Square": _key("sq0" + "csp-", URLSAFE, 43),
    "JSON web token": _jwt,
    "RSA key": _pem("RSA "),
    "PKCS 8 key": _pem(""),
    "SSH key": _pem("OPENSSH "),
    "EC key": _pem("EC "),
}  # fmt: skip
"""Services, and what makes a key that looks like theirs."""

IN_CODE: tuple[tuple[str, Callable[[str], str]], ...] = tuple(
    (text, kind)
    for kind, texts in (
        (password, (
            "(host, port, pwd) = ('db', 5432, '§')",
            "parser.add_argument('--password', default='§')",
            "oracledb.connect('scott', '§', 'h/xe')",
            "# the password for the db is §",
            '"""Logs in.\n\nUse ann / password: § on staging.\n"""',
            "mqtt.tls_set_password('§')",
            "page.fill('#password', '§')",
            "driver.find_element('id', 'password').send_keys('§')",
            "zf.setpassword(b'§')",
            "pdf.decrypt('§')",
            "ssh.connect('h', 22, 'ann', '§')",
            "pymssql.connect('srv', 'ann', '§', 'db')",
            "cx_Oracle.connect('ann/§@db')",
            "mqtt.username_pw_set('ann', '§')",
            "pika.PlainCredentials('ann', '§')",
            "manager.add_password(None, url, 'ann', '§')",
            "ldap.simple_bind_s('cn=ann', '§')",
            "bcrypt.checkpw('§', hashed)",
            "Elasticsearch(url, basic_auth=('elastic', '§'))",
            "password = os.getenv('DB_PASSWORD') or '§'",
            "password = given if given else '§'",
            "PASSWORD, USER = '§', 'ann'",
            "self.user, self.password = 'ann', '§'",
            "secrets = {'sales': '§'}",
            "logging.info('password=%s', '§')",
            "print('password is', '§')",
            "mot_de_passe = '§'",
            '!openssl enc -aes256 -k § -in a',
            "password = '§'", 'PASSWORD = "§"', "db_password: str = '§'", "user, pwd = 'ann', x(); pwd = '§'",
            "connect(host='db', user='ann', password='§')", "config = {'user': 'ann', 'password': '§'}",
            'config["db_password"] = "§"', "self.password = '§'", "setattr(client, 'password', '§')",
            "os.environ['DB_PASSWORD'] = '§'", "os.environ.setdefault('PGPASSWORD', '§')", "os.getenv('DB_PASS', '§')",
            "os.putenv('MYSQL_PWD', '§')", "dbPassword = '§'", "password2 = '§'", "PASSWORD_PROD = '§'", "passphrase = b'§'",
            "requests.get(url, auth=('ann', '§'))", "requests.get(url, auth=HTTPBasicAuth('ann', '§'))",
            "smtp.login('ann@example.org', '§')", "keyring.set_password('mail', 'ann', '§')",
            "engine = create_engine('postgresql://ann:§@db.example.org/sales')",
            "client = MongoClient('mongodb+srv://ann:§@cluster0.example.net/?w=majority')",
            "r = redis.from_url('redis://:§@localhost:6379/0')",
            "pyodbc.connect('DRIVER={SQL Server};SERVER=x;UID=ann;PWD=§;Encrypt=yes')",
            "psycopg2.connect('dbname=sales user=ann password=§ host=db')",
            "df = pd.DataFrame({'user': ['ann'], 'password': ['§']})",
            "settings = dict(user='ann', password='§')", "if password == '§': login()",
            "# password: §", "# the staging db password is §", "# DB_PASSWORD=§", 'text = """\nhost: db\npassword: §\n"""',
            'env = "DB_USER=ann\\nDB_PASSWORD=§\\nPORT=1"', "ini = '''[db]\nuser = ann\npassword = §\n'''",
            'toml = """\n[db]\npassword = "§"\n"""', "data = json.loads('{\"user\": \"ann\", \"password\": \"§\"}')",
            "%env DB_PASSWORD=§", "%env DB_PASSWORD §", "%set_env PGPASSWORD=§", "!export DB_PASSWORD=§ && ./run.sh",
            "!mysql --user=ann --password=§ sales", "!mysql -u ann -p§ sales", "!sshpass -p § ssh ann@db.example.org",
            "!curl -u ann:§ https://example.org/x", "!PGPASSWORD=§ psql -h db",
            "%%bash\nexport API_PASSWORD=§\nrun", "%%time\n%%bash\nexport API_PASSWORD=§\nrun",
            "%%mine\nexport API_PASSWORD=§\nrun", "%%mine\nAPI_PASSWORD = '§'", "%%mine\ns = 'the db password is §'",
            "%%writefile .env\nDB_USER=ann\nDB_PASSWORD=§\n", "subprocess.run(['mysql', '--password', '§'])",
            "cursor.execute(\"CREATE USER ann IDENTIFIED BY '§'\")", "cursor.execute(\"ALTER USER ann WITH PASSWORD '§'\")",
            "cursor.execute(\"INSERT INTO users (name, password) VALUES ('ann', '§')\")",
            "pd.read_csv(io.StringIO('user,password\\nann,§\\n'))", "Login(user='ann', password='§')",
            "spark.conf.set('spark.datasource.password', '§')", "xml = '<user>ann</user><password>§</password>'",
            "!docker login -u ann -p § registry.example.org", "secret = '§'", "app.secret_key = '§'", "client_secret='§'",
            "jwt.encode(payload, '§', algorithm='HS256')", "passwd='§'", "ftp = FTP('ftp.example.org', 'ann', '§')",
            "open('.netrc','w').write('machine example.org login ann password §')", "password = ('§')", "passwort = '§'",
        )),
        (_key("", ALNUM, 32), (
            "API_KEY = '§'", "api_key_1 = '§'", "apiKey: str = '§'", "token2 = '§'", "access_token = '§'", "token='§'",
            "openai.api_key = '§'", "headers = {'X-API-Key': '§'}", "headers = {'Authorization': 'Bearer §'}",
            "headers['Authorization'] = 'Token §'", "requests.get('https://api.example.org/v1/x?api_key=§&page=2')",
            "requests.get('https://api.example.org/v1/x?token=§')", "%env TOKEN=§", "%env API_TOKEN §", "!tool --api-key §",
            "!export GH_TOKEN=§", "!curl -H 'X-Api-Key: §' https://example.org", "!curl -H 'Authorization: Bearer §' x",
            "cookies = {'sessionid': '§'}", "headers = {'Cookie': 'theme=dark; sessionid=§'}", "wandb.login(key='§')",
            "setattr(client, 'api_token', '§')", "# api key: §", "text = 'api_key: §'", "yaml = '''\ntoken: §\n'''",
            "auth_token = '§'", "session.headers.update({'X-Auth-Token': '§'})", "os.environ['WANDB_API_KEY'] = '§'",
            "AWS_SESSION_TOKEN = '§'", "credentials = {'token': '§'}", "x = {'name': 'API_TOKEN', 'value': '§'}",
            "url = 'https://x.blob.core.windows.net/c/f.csv?sv=2022-11-02&sp=r&sig=§'", "login(token='§')",
            "url = 'https://bucket.s3.amazonaws.com/f?X-Amz-Signature=§'", "!git clone https://§@git.example.org/x.git",
            "//registry.example.org/:_authToken=§".join(("npmrc = '''", "'''")), "Fernet(b'§=')", "hmac.new(b'§', body)",
        )),
        (_key("", BASE64, 40), (
            "aws_secret_access_key = '§'", "boto3.client('s3', aws_access_key_id=x, aws_secret_access_key='§')",
            "boto3.client('s3', 'AKIA" + "IOSFODNN7EXAMPLE', '§')", "!aws configure set aws_secret_access_key §",
            "credentials = '''[default]\naws_secret_access_key = §\n'''",
        )),
        (_key("", BASE64, 86, "=="), (
            "conn = 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=§;EndpointSuffix=core.windows.net'",
            "conn = 'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§'",
        )),
        (_key("", ALNUM, 40), (
            "Fred('§')", "Finnhub('§')", "ts.set_token('§')", "pinecone.init('§', environment='x')",
            "alpha_vantage_key = '§'", "nasa_api = '§'", "weather_appid = '§'", "tok = '§'", "!wandb login §",
            "!ngrok config add-authtoken §", "u = 'https://mainnet.infura.io/v3/§'", "u = 'https://hook.eu1.make.com/§'",
            "u = 'https://outlook.office.com/webhook/a1/IncomingWebhook/§/x'", "u = 'https://example.org/hooks/catch/12/§'",
            "cohere.Client('§')", "tweepy.OAuthHandler('abc', '§')", "jwt.decode(text, key='§', algorithms=['HS256'])",
            "client = Client(account, '§')  # the auth token",
        )),
    )
    for text in texts
)  # fmt: skip
"""Code with § for the secret, and what makes it."""

IN_WORDS: tuple[str, ...] = (
    "the password is §", "|user|password|\n|---|---|\n|ann|§|", "wrong password §", "user ann, password §", "credentials ann:§ rejected", "pwd=§;",
    "password: §", "DB_PASSWORD=§", "login failed for ann with password '§'", "Access denied (using password: §)",
    "could not connect to postgresql://ann:§@db.example.org:5432/sales", "{'user': 'ann', 'password': '§'}",
    '{"user": "ann", "password": "§"}', "Login(user='ann', password='§')", "host: db\npassword: §\nport: 5432",
    "Driver={ODBC Driver 18};Server=x;Uid=ann;Pwd=§;Encrypt=yes;", "user=ann password=§ host=db", "[db]\npassword = §",
    "invalid credentials: passwd=§", "('password', '§')", "db_password2='§'", "<password>§</password>",
    "user,password\nann,§", "   user password\n0   ann §", "secret: §", 'client_secret = "§"',
)  # fmt: skip
"""What messages, values and hints say."""

HARMLESS_CODE: tuple[str, ...] = (
    "df.rename(columns={'pwd': 'password_length'})", "dtypes = {'secret': 'category', 'token': 'float64'}", "cache_key = 'd41d8cd98f00b204e9800998ecf8427e'",
    "s3_key = 'raw/2024/01/15/part-00012.parquet'", "inchi_key = 'HEFNNWSXXWATRW-UHFFFAOYSA-N'", "plot_key = 'figure_12_panel_4'",
    "run = Run('1a79a4d60de6718e8e5b326e338ae533')", "doc = ObjectId('507f1f77bcf86cd799439011')", "pin = 17", "pin = 'GPIO17'",
    "tag_key = 'env2024'", "u = 'https://example.org/books/2024/a-long-title-of-a-book'", "api = 'https://api.example.org/v2'", "api = 'v1beta'",
    "file_id = 'file-AbC123dEf456GhI789jKl012'", "id = 'chatcmpl-9aBcD1eFgH2iJkL3mNoP4qRsT5uVw'", "user_key = 'customer_20240115_0001'",
    "(a, b, token) = (1, 2, 'the')", "parser.add_argument('--token', default='<eos>')", "keyboard = Keyboard('qwerty_layout_for_the_us_2024_v2')",
    "model = AutoModel.from_pretrained('Qwen2.5-7B-Instruct', token=token)", "scheme = OAuth2PasswordBearer(tokenUrl='token')",
    "connect(host='localhost', password=pw, charset='utf8mb4')", "password_table = df[['user', 'Conv2DTranspose']]",
    "load('x', revision='4a306de2b3c4d5e6f708192a3b4c5d6e7f809102', token=token)", "client = Client('localhost:8786')",
    "connect('db.example.org', 5432, 'ann', password)", "handler = RotatingFileHandler('results/2024/experiment_00017/run.log')",
    "boto3.client('s3', 'eu-central-1', aws_secret_access_key=key)", "client = bigquery.Client('my-project-123456')",
    "auth_kind = 'OAuth2PasswordBearer'", "pass  # ResNet50V2 in the second pass", "key, value = 'region', 'north2'",
    "socket.connect('tcp://localhost:5555')", "user, password = line.split(':')", "gene, token = 'ENSG00000139618', 'the'",
    "hf_heart_failure_risk_score_2020 = 1", "private_key='household_id'", "os.chdir(pwd='/data')", "pwd = '/data/raw'",
    "max_tokens=512", "df.sort_values(key=lambda column: column.str.lower())", "sort_key = 'region'",
    "primary_key = 'customer_id'", "password_field = 'password'", "foreign_key='order_id'", "public_key='id_rsa.pub'",
    "commit = '3f786850e387550fdab836ed7e6dc881de23001b'", "sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
    "run_id = '123e4567-e89b-12d3-a456-426614174000'", "etag = 'd41d8cd98f00b204e9800998ecf8427e'", "tokens = text.split(' ')",
    "token = 'the'", "pad_token='[PAD]'; eos_token='</s>'", "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "num_tokens = len(tokens)", "password = getpass('Password: ')", "password = os.environ['DB_PASSWORD']",
    "token = os.getenv('API_TOKEN')", "api_key = config['api_key']", "headers = {'Authorization': f'Bearer {token}'}",
    "url = f'postgresql://{user}:{password}@{host}/db'", "connect(password=password, token=token)",
    "def login(user: str, password: str = None) -> Token:", "class Login:\n    password: str\n    token: Token",
    "df.drop(columns=['password', 'email'])", "df[['user', 'password', 'created_at']]", "assert 'password' in df.columns",
    "df = df.rename(columns={'pw': 'password'})", "secret_santa = ['ann', 'bob']", "key = 'name'", "cache_key = 'md5:index'",
    "compass = 'north by 45'", "bypass = 'hunter22'", "author = 'Ann Example 1999'", "keyboard = 'qwertz12345'",
    "partition_key = 'year=2020/month=01'", "s3.get_object(Bucket='sales', Key='raw/2020/01/sales.csv')",
    "image = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='",
    "signature = inspect.signature(function)", "signature = '(i4,i4)->f8'", "auth = 'basic'", "authenticate(method='kerberos')",
    "access_key = 'customer_key'", "session = boto3.Session(profile_name='dev')", "session_key = 'user_id'",
    "model = 'gpt-4o-2024-08-06'", "revision = 'refs/pr/12'", "sk_learn_version = '1.5.2'", "pk = 'order_id'",
    "from sk_learn import x  # sk-learn-contrib-and-others", "npm_config_registry_mirror = 'https://example.org'",
    "requests.get('http://example.org:8080/a@b')", "email = 'ann@example.org'", "version = '2.1.0rc1'",
    "path = 's3://bucket/2020-01-01/part-00000-abc123.snappy.parquet'", "color = '#1f77b4'", "token_count = 128000",
    "tokens_per_second = 54.2", "next_token = logits.argmax(-1)", "token_type_ids = None", "special_tokens = ['[CLS]', '[SEP]']",
    "stop_tokens = ['<|end|>', '<|stop|>']", "input_ids = [101, 7592, 2088, 102]", "df['token'] = df['text'].str.lower()",
    "password_length = 12", "passwords_checked = 17", "password_policy = 'min 12 characters'", "is_secret = False",
    "secret_name = 'projects/x/secrets/db'", "key_file = 'config/key.json'", "ssl_key = '/etc/ssl/private/server.key'",
    "api_key_header = 'X-API-Key'", "credentials = service_account.Credentials.from_service_account_file('sa.json')",
    "creds = load_credentials()", "passenger_class = 'First2'", "passes = ['tests', 'lint']", "pass_rate = 0.93",
    "input(\"Enter your password: \")", "print('Wrong password!')", "raise ValueError('password must have 12 characters')",
    "label = 'Forgot password?'", "placeholder='Your API key'", "gene = 'ENSG00000139618'", "isbn = '978-3-16-148410-0'",
    "iban_checksum = 'GB82'", "smiles = 'CC(=O)OC1=CC=CC=C1C(=O)O'", "sequence = 'ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG'",
    "geohash = 'u4pruydqqvj8'", "timestamp = '20240131T235959Z'", "columns = ['id', 'secret_flag', 'token_len']",
    "df.groupby('token').size()", "tokens = nltk.word_tokenize(text)", "hash_key = hash(row)", "apikey_count = 3",
    "ssh_host = 'db-01.example.org'", "cookie_policy = 'strict'", "sig_level = 0.05", "signal = 'SIGTERM'",
    "auth_type = 'oauth2'", "order_key = 'created_at_desc'", "answer_key = ['a', 'c', 'b']", "key_id = 42",
    "feature = 'token_frequency_2020'", "sns.heatmap(df, cbar_kws={'label': 'pass rate'})", "bearer = None",
)  # fmt: skip
"""Code in which nothing is secret."""

HARMLESS_WORDS: tuple[str, ...] = (
    "error in OAuth2PasswordBearer, no password", "the secret is to use Conv2DTranspose", "no token for Qwen2.5-7B-Instruct",
    "pass 2: 3 rows of Table2Row",
    "name 'password' is not defined", "unexpected keyword argument 'password'", "'Series' object has no attribute 'token'",
    "login() missing 1 required positional argument: 'password'", "invalid token (<unknown>, line 3)",
    "the password is wrong", "Unexpected token } in JSON at position 17", "password: required field missing",
    "KeyError: 'private_key_column'", "connect(user: str, password: str = None, token: Token | None = None)",
    "the bearer of this letter", "Basic understanding of things", "maximum context length is 4096 tokens",
    "hf_heart_failure_risk_score_2020 not in index", "duplicate key value violates unique constraint users_pkey",
    "merge key 'customer_key' not found", "why does the token count differ? max_tokens=512", "sort by key: region",
)  # fmt: skip
"""What messages, values and hints say of no secret."""
