export namespace app {
	
	export class Problem {
	    path: string;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Problem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.sentence = source["sentence"];
	    }
	}
	export class AddPlan {
	    files: number;
	    bytes: number;
	    known: number;
	    pages: number;
	    passages: number;
	    seconds: number;
	    meaning: number;
	    long: boolean;
	    problems: Problem[];
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new AddPlan(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = source["files"];
	        this.bytes = source["bytes"];
	        this.known = source["known"];
	        this.pages = source["pages"];
	        this.passages = source["passages"];
	        this.seconds = source["seconds"];
	        this.meaning = source["meaning"];
	        this.long = source["long"];
	        this.problems = this.convertValues(source["problems"], Problem);
	        this.sentence = source["sentence"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class AddResult {
	    added: number;
	    problems: Problem[];
	
	    static createFrom(source: any = {}) {
	        return new AddResult(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.added = source["added"];
	        this.problems = this.convertValues(source["problems"], Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ArchiveSource {
	    url: string;
	    sha256: string;
	    bytes: number;
	
	    static createFrom(source: any = {}) {
	        return new ArchiveSource(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.url = source["url"];
	        this.sha256 = source["sha256"];
	        this.bytes = source["bytes"];
	    }
	}
	export class Call {
	    at: string;
	    client: string;
	    via: string;
	    route: string;
	    status: number;
	    code: string;
	    documents: number[];
	    passages: number;
	    duration_ms: number;
	
	    static createFrom(source: any = {}) {
	        return new Call(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.client = source["client"];
	        this.via = source["via"];
	        this.route = source["route"];
	        this.status = source["status"];
	        this.code = source["code"];
	        this.documents = source["documents"];
	        this.passages = source["passages"];
	        this.duration_ms = source["duration_ms"];
	    }
	}
	export class Transfer {
	    id: string;
	    state: string;
	    done: number;
	    total: number;
	    rate: number;
	    remaining_seconds: number;
	    asks: string;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Transfer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.state = source["state"];
	        this.done = source["done"];
	        this.total = source["total"];
	        this.rate = source["rate"];
	        this.remaining_seconds = source["remaining_seconds"];
	        this.asks = source["asks"];
	        this.sentence = source["sentence"];
	    }
	}
	export class CatalogueRow {
	    id: string;
	    name: string;
	    roles: string[];
	    size_bytes: number;
	    licence: string;
	    installed: boolean;
	    fits: string;
	    class: string;
	    quantization: string;
	    context: number;
	    cache_kind: string;
	    memory_gib: number;
	    languages: string[];
	    note: string;
	    downloadable: boolean;
	    host: string;
	    proof: string;
	    own: boolean;
	    transfer?: Transfer;
	
	    static createFrom(source: any = {}) {
	        return new CatalogueRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.roles = source["roles"];
	        this.size_bytes = source["size_bytes"];
	        this.licence = source["licence"];
	        this.installed = source["installed"];
	        this.fits = source["fits"];
	        this.class = source["class"];
	        this.quantization = source["quantization"];
	        this.context = source["context"];
	        this.cache_kind = source["cache_kind"];
	        this.memory_gib = source["memory_gib"];
	        this.languages = source["languages"];
	        this.note = source["note"];
	        this.downloadable = source["downloadable"];
	        this.host = source["host"];
	        this.proof = source["proof"];
	        this.own = source["own"];
	        this.transfer = this.convertValues(source["transfer"], Transfer);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Collection {
	    id: number;
	    name: string;
	    label: string;
	
	    static createFrom(source: any = {}) {
	        return new Collection(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.label = source["label"];
	    }
	}
	export class Connection {
	    purpose: string;
	    host: string;
	    started: string;
	    ended: string;
	    sent: number;
	    received: number;
	
	    static createFrom(source: any = {}) {
	        return new Connection(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.purpose = source["purpose"];
	        this.host = source["host"];
	        this.started = source["started"];
	        this.ended = source["ended"];
	        this.sent = source["sent"];
	        this.received = source["received"];
	    }
	}
	export class ConversationOptions {
	    engine: string;
	    mode: string;
	    history?: number;
	    scope: rag.Scope;
	
	    static createFrom(source: any = {}) {
	        return new ConversationOptions(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.engine = source["engine"];
	        this.mode = source["mode"];
	        this.history = source["history"];
	        this.scope = this.convertValues(source["scope"], rag.Scope);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Conversation {
	    id: number;
	    title: string;
	    created: string;
	    updated: string;
	    pinned: boolean;
	    turns: number;
	    options: ConversationOptions;
	
	    static createFrom(source: any = {}) {
	        return new Conversation(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.created = source["created"];
	        this.updated = source["updated"];
	        this.pinned = source["pinned"];
	        this.turns = source["turns"];
	        this.options = this.convertValues(source["options"], ConversationOptions);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class StoredTurn {
	    id: number;
	    ordinal: number;
	    question: string;
	    created: string;
	    prepared: rag.Prepared;
	    retrieval: rag.Retrieval;
	    done: rag.Done;
	    gone: number[];
	    withheld: boolean;
	
	    static createFrom(source: any = {}) {
	        return new StoredTurn(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.ordinal = source["ordinal"];
	        this.question = source["question"];
	        this.created = source["created"];
	        this.prepared = this.convertValues(source["prepared"], rag.Prepared);
	        this.retrieval = this.convertValues(source["retrieval"], rag.Retrieval);
	        this.done = this.convertValues(source["done"], rag.Done);
	        this.gone = source["gone"];
	        this.withheld = source["withheld"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ConversationDetail {
	    conversation: Conversation;
	    turns: StoredTurn[];
	
	    static createFrom(source: any = {}) {
	        return new ConversationDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.conversation = this.convertValues(source["conversation"], Conversation);
	        this.turns = this.convertValues(source["turns"], StoredTurn);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ConversationMatch {
	    id: number;
	    title: string;
	    created: string;
	    updated: string;
	    pinned: boolean;
	    turns: number;
	    options: ConversationOptions;
	    snippet: string;
	
	    static createFrom(source: any = {}) {
	        return new ConversationMatch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.created = source["created"];
	        this.updated = source["updated"];
	        this.pinned = source["pinned"];
	        this.turns = source["turns"];
	        this.options = this.convertValues(source["options"], ConversationOptions);
	        this.snippet = source["snippet"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Part {
	    start: number;
	    length: number;
	    content_hash: string;
	    heading: string;
	    locator: rag.Locator;
	
	    static createFrom(source: any = {}) {
	        return new Part(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.start = source["start"];
	        this.length = source["length"];
	        this.content_hash = source["content_hash"];
	        this.heading = source["heading"];
	        this.locator = this.convertValues(source["locator"], rag.Locator);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class DocumentText {
	    title: string;
	    path: string;
	    text: string;
	    kind: string;
	    pages: number;
	    label: string;
	    state: string;
	    version: string;
	    parts: Part[];
	
	    static createFrom(source: any = {}) {
	        return new DocumentText(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.title = source["title"];
	        this.path = source["path"];
	        this.text = source["text"];
	        this.kind = source["kind"];
	        this.pages = source["pages"];
	        this.label = source["label"];
	        this.state = source["state"];
	        this.version = source["version"];
	        this.parts = this.convertValues(source["parts"], Part);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class EmbedPlan {
	    from: string;
	    to: string;
	    passages: number;
	    done: number;
	    seconds: number;
	    building: boolean;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new EmbedPlan(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.from = source["from"];
	        this.to = source["to"];
	        this.passages = source["passages"];
	        this.done = source["done"];
	        this.seconds = source["seconds"];
	        this.building = source["building"];
	        this.sentence = source["sentence"];
	    }
	}
	export class Encoding {
	    name: string;
	    script: string;
	
	    static createFrom(source: any = {}) {
	        return new Encoding(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.script = source["script"];
	    }
	}
	export class EvalRun {
	    id: string;
	    started: string;
	    state: string;
	    suites: string[];
	    engines: string[];
	    retrievers: string[];
	    questions: number;
	    personal: boolean;
	    progress?: lab.Progress;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new EvalRun(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.started = source["started"];
	        this.state = source["state"];
	        this.suites = source["suites"];
	        this.engines = source["engines"];
	        this.retrievers = source["retrievers"];
	        this.questions = source["questions"];
	        this.personal = source["personal"];
	        this.progress = this.convertValues(source["progress"], lab.Progress);
	        this.sentence = source["sentence"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class EvalComparison {
	    before: EvalRun;
	    after: EvalRun;
	    pairs: lab.Pair[];
	    missing: string[];
	
	    static createFrom(source: any = {}) {
	        return new EvalComparison(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.before = this.convertValues(source["before"], EvalRun);
	        this.after = this.convertValues(source["after"], EvalRun);
	        this.pairs = this.convertValues(source["pairs"], lab.Pair);
	        this.missing = source["missing"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class EvalResult {
	    run: EvalRun;
	    sets: lab.SetHead[];
	    figures: lab.Cell[];
	    verdict: lab.Verdict;
	    mode_verdict: lab.ModeVerdict;
	    failures: string[];
	    notes: string[];
	    models: {[key: string]: string};
	    machine: string;
	    version: string;
	
	    static createFrom(source: any = {}) {
	        return new EvalResult(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.run = this.convertValues(source["run"], EvalRun);
	        this.sets = this.convertValues(source["sets"], lab.SetHead);
	        this.figures = this.convertValues(source["figures"], lab.Cell);
	        this.verdict = this.convertValues(source["verdict"], lab.Verdict);
	        this.mode_verdict = this.convertValues(source["mode_verdict"], lab.ModeVerdict);
	        this.failures = source["failures"];
	        this.notes = source["notes"];
	        this.models = source["models"];
	        this.machine = source["machine"];
	        this.version = source["version"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class File {
	    id: number;
	    path: string;
	    name: string;
	    status: string;
	    reason: string;
	    chunks: number;
	    vectors: number;
	    class: string;
	    label: string;
	    updated: string;
	    size: number;
	    pages: number;
	    kind: string;
	    title: string;
	    encoding: string;
	    encoding_choice: string;
	    takes_encoding: boolean;
	    tags: string[];
	
	    static createFrom(source: any = {}) {
	        return new File(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.path = source["path"];
	        this.name = source["name"];
	        this.status = source["status"];
	        this.reason = source["reason"];
	        this.chunks = source["chunks"];
	        this.vectors = source["vectors"];
	        this.class = source["class"];
	        this.label = source["label"];
	        this.updated = source["updated"];
	        this.size = source["size"];
	        this.pages = source["pages"];
	        this.kind = source["kind"];
	        this.title = source["title"];
	        this.encoding = source["encoding"];
	        this.encoding_choice = source["encoding_choice"];
	        this.takes_encoding = source["takes_encoding"];
	        this.tags = source["tags"];
	    }
	}
	export class Files {
	    total: number;
	    files: File[];
	
	    static createFrom(source: any = {}) {
	        return new Files(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.total = source["total"];
	        this.files = this.convertValues(source["files"], File);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class FilesRequest {
	    folder: number;
	    collection: number;
	    status: string;
	    search: string;
	    label: string;
	    sort: string;
	    offset: number;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new FilesRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.folder = source["folder"];
	        this.collection = source["collection"];
	        this.status = source["status"];
	        this.search = source["search"];
	        this.label = source["label"];
	        this.sort = source["sort"];
	        this.offset = source["offset"];
	        this.limit = source["limit"];
	    }
	}
	export class FitModel {
	    id: string;
	    name: string;
	    roles: string[];
	    size_bytes: number;
	    class: string;
	    installed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new FitModel(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.roles = source["roles"];
	        this.size_bytes = source["size_bytes"];
	        this.class = source["class"];
	        this.installed = source["installed"];
	    }
	}
	export class FitRole {
	    role: string;
	    model: string;
	    layers: number;
	    of: number;
	    context: number;
	    cache: string;
	    device_bytes: number;
	    host_bytes: number;
	    shares: boolean;
	
	    static createFrom(source: any = {}) {
	        return new FitRole(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.model = source["model"];
	        this.layers = source["layers"];
	        this.of = source["of"];
	        this.context = source["context"];
	        this.cache = source["cache"];
	        this.device_bytes = source["device_bytes"];
	        this.host_bytes = source["host_bytes"];
	        this.shares = source["shares"];
	    }
	}
	export class FitDevice {
	    name: string;
	    free: number;
	    total: number;
	
	    static createFrom(source: any = {}) {
	        return new FitDevice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.free = source["free"];
	        this.total = source["total"];
	    }
	}
	export class Fit {
	    devices: FitDevice[];
	    memory: number;
	    roles: FitRole[];
	    given_up: string[];
	    room: number;
	    used: number;
	    over: boolean;
	    models: FitModel[];
	
	    static createFrom(source: any = {}) {
	        return new Fit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.devices = this.convertValues(source["devices"], FitDevice);
	        this.memory = source["memory"];
	        this.roles = this.convertValues(source["roles"], FitRole);
	        this.given_up = source["given_up"];
	        this.room = source["room"];
	        this.used = source["used"];
	        this.over = source["over"];
	        this.models = this.convertValues(source["models"], FitModel);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class FitRequest {
	    gpus: number[];
	    models: {[key: string]: string};
	    layers?: number;
	
	    static createFrom(source: any = {}) {
	        return new FitRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.gpus = source["gpus"];
	        this.models = source["models"];
	        this.layers = source["layers"];
	    }
	}
	
	export class Folder {
	    id: number;
	    path: string;
	    collection: string;
	    label: string;
	    state: string;
	    reason: string;
	    indexed: number;
	    waiting: number;
	    failed: number;
	    ignored: number;
	    last_checked: string;
	    single_file: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Folder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.path = source["path"];
	        this.collection = source["collection"];
	        this.label = source["label"];
	        this.state = source["state"];
	        this.reason = source["reason"];
	        this.indexed = source["indexed"];
	        this.waiting = source["waiting"];
	        this.failed = source["failed"];
	        this.ignored = source["ignored"];
	        this.last_checked = source["last_checked"];
	        this.single_file = source["single_file"];
	    }
	}
	export class IndexReport {
	    problems: string[];
	    repaired: boolean;
	
	    static createFrom(source: any = {}) {
	        return new IndexReport(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.problems = source["problems"];
	        this.repaired = source["repaired"];
	    }
	}
	export class IndexSize {
	    library: number;
	    conversations: number;
	    search: number;
	    backups: number;
	    chunks: number;
	    vectors: number;
	
	    static createFrom(source: any = {}) {
	        return new IndexSize(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.library = source["library"];
	        this.conversations = source["conversations"];
	        this.search = source["search"];
	        this.backups = source["backups"];
	        this.chunks = source["chunks"];
	        this.vectors = source["vectors"];
	    }
	}
	export class IndexState {
	    documents: number;
	    chunks: number;
	    vectors_done: number;
	    vectors_total: number;
	
	    static createFrom(source: any = {}) {
	        return new IndexState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.documents = source["documents"];
	        this.chunks = source["chunks"];
	        this.vectors_done = source["vectors_done"];
	        this.vectors_total = source["vectors_total"];
	    }
	}
	export class IngestReport {
	    files: number;
	    pages: number;
	    passages: number;
	    vectors: number;
	    seconds: number;
	    parse: number;
	    chunk: number;
	    write: number;
	    embed: number;
	    other: number;
	    files_per_second: number;
	
	    static createFrom(source: any = {}) {
	        return new IngestReport(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = source["files"];
	        this.pages = source["pages"];
	        this.passages = source["passages"];
	        this.vectors = source["vectors"];
	        this.seconds = source["seconds"];
	        this.parse = source["parse"];
	        this.chunk = source["chunk"];
	        this.write = source["write"];
	        this.embed = source["embed"];
	        this.other = source["other"];
	        this.files_per_second = source["files_per_second"];
	    }
	}
	export class InstallRuntimeRequest {
	    name: string;
	    archives: string[];
	    accept: boolean;
	    anyway: boolean;
	
	    static createFrom(source: any = {}) {
	        return new InstallRuntimeRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.archives = source["archives"];
	        this.accept = source["accept"];
	        this.anyway = source["anyway"];
	    }
	}
	export class TestsState {
	    count: number;
	    last_run: string;
	    changes: string[];
	    worse: number;
	    better: number;
	    before: string;
	    warning: string;
	
	    static createFrom(source: any = {}) {
	        return new TestsState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.count = source["count"];
	        this.last_run = source["last_run"];
	        this.changes = source["changes"];
	        this.worse = source["worse"];
	        this.better = source["better"];
	        this.before = source["before"];
	        this.warning = source["warning"];
	    }
	}
	export class StoredMode {
	    class: string;
	    model: string;
	    run: string;
	    decided: string;
	    verdict: lab.ModeVerdict;
	
	    static createFrom(source: any = {}) {
	        return new StoredMode(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.class = source["class"];
	        this.model = source["model"];
	        this.run = source["run"];
	        this.decided = source["decided"];
	        this.verdict = this.convertValues(source["verdict"], lab.ModeVerdict);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class StoredVerdict {
	    class: string;
	    model: string;
	    run: string;
	    decided: string;
	    verdict: lab.Verdict;
	
	    static createFrom(source: any = {}) {
	        return new StoredVerdict(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.class = source["class"];
	        this.model = source["model"];
	        this.run = source["run"];
	        this.decided = source["decided"];
	        this.verdict = this.convertValues(source["verdict"], lab.Verdict);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class LabSuite {
	    name: string;
	    about: string;
	    lacks: string;
	
	    static createFrom(source: any = {}) {
	        return new LabSuite(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.about = source["about"];
	        this.lacks = source["lacks"];
	    }
	}
	export class LabState {
	    folder: string;
	    runs: EvalRun[];
	    suites: LabSuite[];
	    presets: string[];
	    engines: string[];
	    retrievers: string[];
	    engine: string;
	    shipped: string;
	    class: string;
	    verdicts: StoredVerdict[];
	    answer_class: string;
	    modes: StoredMode[];
	    tests: TestsState;
	
	    static createFrom(source: any = {}) {
	        return new LabState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.folder = source["folder"];
	        this.runs = this.convertValues(source["runs"], EvalRun);
	        this.suites = this.convertValues(source["suites"], LabSuite);
	        this.presets = source["presets"];
	        this.engines = source["engines"];
	        this.retrievers = source["retrievers"];
	        this.engine = source["engine"];
	        this.shipped = source["shipped"];
	        this.class = source["class"];
	        this.verdicts = this.convertValues(source["verdicts"], StoredVerdict);
	        this.answer_class = source["answer_class"];
	        this.modes = this.convertValues(source["modes"], StoredMode);
	        this.tests = this.convertValues(source["tests"], TestsState);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Progress {
	    done: number;
	    total: number;
	    files_per_minute: number;
	    remaining_seconds: number;
	    paused: boolean;
	    vectors_done: number;
	    vectors_total: number;
	    current: string;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Progress(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.done = source["done"];
	        this.total = source["total"];
	        this.files_per_minute = source["files_per_minute"];
	        this.remaining_seconds = source["remaining_seconds"];
	        this.paused = source["paused"];
	        this.vectors_done = source["vectors_done"];
	        this.vectors_total = source["vectors_total"];
	        this.current = source["current"];
	        this.sentence = source["sentence"];
	    }
	}
	export class Library {
	    folders: Folder[];
	    collections: Collection[];
	    progress: Progress;
	
	    static createFrom(source: any = {}) {
	        return new Library(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.folders = this.convertValues(source["folders"], Folder);
	        this.collections = this.convertValues(source["collections"], Collection);
	        this.progress = this.convertValues(source["progress"], Progress);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ModelFile {
	    id: string;
	    name: string;
	    path: string;
	    roles: string[];
	    bytes: number;
	    sha256: string;
	    proof: string;
	    ok: boolean;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new ModelFile(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.path = source["path"];
	        this.roles = source["roles"];
	        this.bytes = source["bytes"];
	        this.sha256 = source["sha256"];
	        this.proof = source["proof"];
	        this.ok = source["ok"];
	        this.sentence = source["sentence"];
	    }
	}
	export class ModelState {
	    role: string;
	    id: string;
	    name: string;
	    state: string;
	    loading: number;
	    note: string;
	    layers: number;
	    gpu_layers: number;
	    device: string;
	    runtime: string;
	    threads: number;
	    context: number;
	    bytes: number;
	    shared: string;
	    remote: string;
	
	    static createFrom(source: any = {}) {
	        return new ModelState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.id = source["id"];
	        this.name = source["name"];
	        this.state = source["state"];
	        this.loading = source["loading"];
	        this.note = source["note"];
	        this.layers = source["layers"];
	        this.gpu_layers = source["gpu_layers"];
	        this.device = source["device"];
	        this.runtime = source["runtime"];
	        this.threads = source["threads"];
	        this.context = source["context"];
	        this.bytes = source["bytes"];
	        this.shared = source["shared"];
	        this.remote = source["remote"];
	    }
	}
	export class RuntimeState {
	    name: string;
	    folder: string;
	    devices: string[];
	    reason: string;
	
	    static createFrom(source: any = {}) {
	        return new RuntimeState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.folder = source["folder"];
	        this.devices = source["devices"];
	        this.reason = source["reason"];
	    }
	}
	export class Models {
	    roles: ModelState[];
	    catalogue: CatalogueRow[];
	    runtime: RuntimeState;
	
	    static createFrom(source: any = {}) {
	        return new Models(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.roles = this.convertValues(source["roles"], ModelState);
	        this.catalogue = this.convertValues(source["catalogue"], CatalogueRow);
	        this.runtime = this.convertValues(source["runtime"], RuntimeState);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TestPassage {
	    hash: string;
	    title: string;
	    text: string;
	    right: boolean;
	
	    static createFrom(source: any = {}) {
	        return new TestPassage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.hash = source["hash"];
	        this.title = source["title"];
	        this.text = source["text"];
	        this.right = source["right"];
	    }
	}
	export class OwnTest {
	    id: string;
	    question: string;
	    history: rag.Message[];
	    kind: string;
	    added: string;
	    passages: TestPassage[];
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new OwnTest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.question = source["question"];
	        this.history = this.convertValues(source["history"], rag.Message);
	        this.kind = source["kind"];
	        this.added = source["added"];
	        this.passages = this.convertValues(source["passages"], TestPassage);
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Passage {
	    chunk: number;
	    document: number;
	    title: string;
	    path: string;
	    heading: string;
	    locator: rag.Locator;
	    before: string;
	    text: string;
	    after: string;
	    missing: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Passage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chunk = source["chunk"];
	        this.document = source["document"];
	        this.title = source["title"];
	        this.path = source["path"];
	        this.heading = source["heading"];
	        this.locator = this.convertValues(source["locator"], rag.Locator);
	        this.before = source["before"];
	        this.text = source["text"];
	        this.after = source["after"];
	        this.missing = source["missing"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class PullRuntimeRequest {
	    name: string;
	    from: ArchiveSource[];
	    accept: boolean;
	    anyway: boolean;
	    granted: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PullRuntimeRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.from = this.convertValues(source["from"], ArchiveSource);
	        this.accept = source["accept"];
	        this.anyway = source["anyway"];
	        this.granted = source["granted"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class RecutPlan {
	    files: number;
	    bytes: number;
	    pages: number;
	    passages: number;
	    seconds: number;
	    meaning: number;
	    long: boolean;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new RecutPlan(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = source["files"];
	        this.bytes = source["bytes"];
	        this.pages = source["pages"];
	        this.passages = source["passages"];
	        this.seconds = source["seconds"];
	        this.meaning = source["meaning"];
	        this.long = source["long"];
	        this.sentence = source["sentence"];
	    }
	}
	export class RemoteRequest {
	    role: string;
	    url: string;
	    model: string;
	    key: string;
	
	    static createFrom(source: any = {}) {
	        return new RemoteRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.url = source["url"];
	        this.model = source["model"];
	        this.key = source["key"];
	    }
	}
	export class Run {
	    id: number;
	    started: string;
	    conversation?: number;
	    turn?: number;
	    engine: string;
	    status: string;
	    code: string;
	    reason: string;
	    stages_ms: {[key: string]: number};
	
	    static createFrom(source: any = {}) {
	        return new Run(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.started = source["started"];
	        this.conversation = source["conversation"];
	        this.turn = source["turn"];
	        this.engine = source["engine"];
	        this.status = source["status"];
	        this.code = source["code"];
	        this.reason = source["reason"];
	        this.stages_ms = source["stages_ms"];
	    }
	}
	export class RuntimeCheck {
	    name: string;
	    ok: boolean;
	    sentences: string[];
	
	    static createFrom(source: any = {}) {
	        return new RuntimeCheck(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.ok = source["ok"];
	        this.sentences = source["sentences"];
	    }
	}
	export class RuntimeFolder {
	    name: string;
	    version: string;
	    folder: string;
	    used: boolean;
	    removable: boolean;
	    sentence: string;
	    notice: string;
	    lacks: string;
	    fetch: string[];
	    sources: ArchiveSource[];
	    transfer?: Transfer;
	
	    static createFrom(source: any = {}) {
	        return new RuntimeFolder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.version = source["version"];
	        this.folder = source["folder"];
	        this.used = source["used"];
	        this.removable = source["removable"];
	        this.sentence = source["sentence"];
	        this.notice = source["notice"];
	        this.lacks = source["lacks"];
	        this.fetch = source["fetch"];
	        this.sources = this.convertValues(source["sources"], ArchiveSource);
	        this.transfer = this.convertValues(source["transfer"], Transfer);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Serving {
	    address: string;
	    problem: string;
	    token: string;
	
	    static createFrom(source: any = {}) {
	        return new Serving(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.address = source["address"];
	        this.problem = source["problem"];
	        this.token = source["token"];
	    }
	}
	export class Setting {
	    key: string;
	    type: string;
	    value: string;
	    default: string;
	    options: string[];
	    min: number;
	    max: number;
	    auto: boolean;
	    unit: string;
	    group: string;
	    label: string;
	    help: string;
	    scope: string;
	    source: string;
	    environment: string;
	    notice: string;
	
	    static createFrom(source: any = {}) {
	        return new Setting(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.key = source["key"];
	        this.type = source["type"];
	        this.value = source["value"];
	        this.default = source["default"];
	        this.options = source["options"];
	        this.min = source["min"];
	        this.max = source["max"];
	        this.auto = source["auto"];
	        this.unit = source["unit"];
	        this.group = source["group"];
	        this.label = source["label"];
	        this.help = source["help"];
	        this.scope = source["scope"];
	        this.source = source["source"];
	        this.environment = source["environment"];
	        this.notice = source["notice"];
	    }
	}
	export class Speed {
	    role: string;
	    tokens: number;
	    decode: number;
	    prefill: number;
	    reached: number;
	    memory: number;
	
	    static createFrom(source: any = {}) {
	        return new Speed(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.tokens = source["tokens"];
	        this.decode = source["decode"];
	        this.prefill = source["prefill"];
	        this.reached = source["reached"];
	        this.memory = source["memory"];
	    }
	}
	export class StatusNote {
	    kind: string;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new StatusNote(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.sentence = source["sentence"];
	    }
	}
	export class Status {
	    answer: ModelState;
	    condense: ModelState;
	    embed: ModelState;
	    tokens_per_second: number;
	    outbound: number;
	    index: IndexState;
	    notices: StatusNote[];
	
	    static createFrom(source: any = {}) {
	        return new Status(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.answer = this.convertValues(source["answer"], ModelState);
	        this.condense = this.convertValues(source["condense"], ModelState);
	        this.embed = this.convertValues(source["embed"], ModelState);
	        this.tokens_per_second = source["tokens_per_second"];
	        this.outbound = source["outbound"];
	        this.index = this.convertValues(source["index"], IndexState);
	        this.notices = this.convertValues(source["notices"], StatusNote);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	
	export class TestDraft {
	    test: OwnTest;
	    kinds: string[];
	
	    static createFrom(source: any = {}) {
	        return new TestDraft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.test = this.convertValues(source["test"], OwnTest);
	        this.kinds = source["kinds"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	export class UnlockRequest {
	    path: string;
	    password: string;
	    keep: boolean;
	
	    static createFrom(source: any = {}) {
	        return new UnlockRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.password = source["password"];
	        this.keep = source["keep"];
	    }
	}
	export class Unlocked {
	    kept: boolean;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Unlocked(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kept = source["kept"];
	        this.sentence = source["sentence"];
	    }
	}
	export class Version {
	    version: string;
	    llama: string;
	    sqlite: string;
	
	    static createFrom(source: any = {}) {
	        return new Version(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.llama = source["llama"];
	        this.sqlite = source["sqlite"];
	    }
	}

}

export namespace desktop {
	
	export class AddOptions {
	    collection: string;
	    restricted: boolean;
	
	    static createFrom(source: any = {}) {
	        return new AddOptions(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.collection = source["collection"];
	        this.restricted = source["restricted"];
	    }
	}
	export class DemoInfo {
	    sample_questions: string[];
	
	    static createFrom(source: any = {}) {
	        return new DemoInfo(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.sample_questions = source["sample_questions"];
	    }
	}
	export class PickedBackup {
	    picked: boolean;
	    path: string;
	    before: string;
	    reset: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PickedBackup(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.picked = source["picked"];
	        this.path = source["path"];
	        this.before = source["before"];
	        this.reset = source["reset"];
	    }
	}
	export class PickedConversation {
	    picked: boolean;
	    file: string;
	    title: string;
	    turns: number;
	    passages: number;
	    first: string;
	    last: string;
	    questions: string[];
	    withheld: number;
	
	    static createFrom(source: any = {}) {
	        return new PickedConversation(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.picked = source["picked"];
	        this.file = source["file"];
	        this.title = source["title"];
	        this.turns = source["turns"];
	        this.passages = source["passages"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.questions = source["questions"];
	        this.withheld = source["withheld"];
	    }
	}
	export class Profile {
	    name: string;
	    values: {[key: string]: string};
	
	    static createFrom(source: any = {}) {
	        return new Profile(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.values = source["values"];
	    }
	}
	export class Question {
	    id: string;
	    conversation?: number;
	    question: string;
	    engine: string;
	    mode: string;
	    retriever: string;
	    scope?: rag.Scope;
	    edited_query: string;
	    own_words: boolean;
	    again?: number;
	    same_evidence: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Question(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.conversation = source["conversation"];
	        this.question = source["question"];
	        this.engine = source["engine"];
	        this.mode = source["mode"];
	        this.retriever = source["retriever"];
	        this.scope = this.convertValues(source["scope"], rag.Scope);
	        this.edited_query = source["edited_query"];
	        this.own_words = source["own_words"];
	        this.again = source["again"];
	        this.same_evidence = source["same_evidence"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Standing {
	    name: string;
	    path: string;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Standing(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.path = source["path"];
	        this.sentence = source["sentence"];
	    }
	}

}

export namespace lab {
	
	export class Candidate {
	    engine: string;
	    gap_closed?: number;
	    "recall@5"?: number;
	    "ndcg@5"?: number;
	    "ndcg@5_high"?: number;
	    retention?: number;
	    fallback?: number;
	    added_p95_ms?: number;
	    vetoes: string[];
	
	    static createFrom(source: any = {}) {
	        return new Candidate(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.engine = source["engine"];
	        this.gap_closed = source["gap_closed"];
	        this["recall@5"] = source["recall@5"];
	        this["ndcg@5"] = source["ndcg@5"];
	        this["ndcg@5_high"] = source["ndcg@5_high"];
	        this.retention = source["retention"];
	        this.fallback = source["fallback"];
	        this.added_p95_ms = source["added_p95_ms"];
	        this.vetoes = source["vetoes"];
	    }
	}
	export class Cell {
	    suite: string;
	    set: string;
	    engine: string;
	    retriever: string;
	    slice: string;
	    metric: string;
	    value: number;
	    low: number;
	    high: number;
	    n: number;
	
	    static createFrom(source: any = {}) {
	        return new Cell(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.suite = source["suite"];
	        this.set = source["set"];
	        this.engine = source["engine"];
	        this.retriever = source["retriever"];
	        this.slice = source["slice"];
	        this.metric = source["metric"];
	        this.value = source["value"];
	        this.low = source["low"];
	        this.high = source["high"];
	        this.n = source["n"];
	    }
	}
	export class ModeCandidate {
	    mode: string;
	    numbers_grounded?: number;
	    numbers: number;
	    supported?: number;
	    coverage?: number;
	    refused?: number;
	    false_refusal?: number;
	    balanced_accuracy?: number;
	    overflow?: number;
	    vetoes: string[];
	
	    static createFrom(source: any = {}) {
	        return new ModeCandidate(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.mode = source["mode"];
	        this.numbers_grounded = source["numbers_grounded"];
	        this.numbers = source["numbers"];
	        this.supported = source["supported"];
	        this.coverage = source["coverage"];
	        this.refused = source["refused"];
	        this.false_refusal = source["false_refusal"];
	        this.balanced_accuracy = source["balanced_accuracy"];
	        this.overflow = source["overflow"];
	        this.vetoes = source["vetoes"];
	    }
	}
	export class ModeVerdict {
	    retriever: string;
	    questions: number;
	    mode: string;
	    sentence: string;
	    missing: string[];
	    candidates: ModeCandidate[];
	
	    static createFrom(source: any = {}) {
	        return new ModeVerdict(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.retriever = source["retriever"];
	        this.questions = source["questions"];
	        this.mode = source["mode"];
	        this.sentence = source["sentence"];
	        this.missing = source["missing"];
	        this.candidates = this.convertValues(source["candidates"], ModeCandidate);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Progress {
	    suite: string;
	    set: string;
	    engine: string;
	    retriever: string;
	    done: number;
	    total: number;
	    per_second: number;
	    remaining_seconds: number;
	    sentence: string;
	
	    static createFrom(source: any = {}) {
	        return new Progress(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.suite = source["suite"];
	        this.set = source["set"];
	        this.engine = source["engine"];
	        this.retriever = source["retriever"];
	        this.done = source["done"];
	        this.total = source["total"];
	        this.per_second = source["per_second"];
	        this.remaining_seconds = source["remaining_seconds"];
	        this.sentence = source["sentence"];
	    }
	}
	export class SetHead {
	    suite: string;
	    name: string;
	    passages: number;
	    questions: number;
	    hash: string;
	    index: string;
	
	    static createFrom(source: any = {}) {
	        return new SetHead(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.suite = source["suite"];
	        this.name = source["name"];
	        this.passages = source["passages"];
	        this.questions = source["questions"];
	        this.hash = source["hash"];
	        this.index = source["index"];
	    }
	}
	export class Verdict {
	    retriever: string;
	    questions: number;
	    engine: string;
	    sentence: string;
	    missing: string[];
	    candidates: Candidate[];
	
	    static createFrom(source: any = {}) {
	        return new Verdict(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.retriever = source["retriever"];
	        this.questions = source["questions"];
	        this.engine = source["engine"];
	        this.sentence = source["sentence"];
	        this.missing = source["missing"];
	        this.candidates = this.convertValues(source["candidates"], Candidate);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace rag {
	
	export class Issue {
	    kind: string;
	    text: string;
	    found?: string;
	    start: number;
	    end: number;
	
	    static createFrom(source: any = {}) {
	        return new Issue(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.found = source["found"];
	        this.start = source["start"];
	        this.end = source["end"];
	    }
	}
	export class AnswerCheck {
	    status: string;
	    issues: Issue[];
	    citations: number;
	    values: number;
	
	    static createFrom(source: any = {}) {
	        return new AnswerCheck(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.status = source["status"];
	        this.issues = this.convertValues(source["issues"], Issue);
	        this.citations = source["citations"];
	        this.values = source["values"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Citation {
	    n: number;
	    chunk: number;
	    start: number;
	    end: number;
	    answer_start: number;
	    answer_end: number;
	
	    static createFrom(source: any = {}) {
	        return new Citation(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.n = source["n"];
	        this.chunk = source["chunk"];
	        this.start = source["start"];
	        this.end = source["end"];
	        this.answer_start = source["answer_start"];
	        this.answer_end = source["answer_end"];
	    }
	}
	export class Latency {
	    prepare: number;
	    retrieve: number;
	    rerank: number;
	    pack: number;
	    generate: number;
	    check: number;
	    total: number;
	
	    static createFrom(source: any = {}) {
	        return new Latency(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.prepare = source["prepare"];
	        this.retrieve = source["retrieve"];
	        this.rerank = source["rerank"];
	        this.pack = source["pack"];
	        this.generate = source["generate"];
	        this.check = source["check"];
	        this.total = source["total"];
	    }
	}
	export class Usage {
	    prompt_tokens: number;
	    cached_tokens: number;
	    completion_tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new Usage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.prompt_tokens = source["prompt_tokens"];
	        this.cached_tokens = source["cached_tokens"];
	        this.completion_tokens = source["completion_tokens"];
	    }
	}
	export class Rect {
	    x: number;
	    y: number;
	    width: number;
	    height: number;
	
	    static createFrom(source: any = {}) {
	        return new Rect(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.x = source["x"];
	        this.y = source["y"];
	        this.width = source["width"];
	        this.height = source["height"];
	    }
	}
	export class Locator {
	    page?: number;
	    page_to?: number;
	    page_label?: string;
	    rects?: Rect[];
	    slide?: number;
	    sheet?: string;
	    cell?: string;
	    line_from?: number;
	    line_to?: number;
	    section?: string;
	    paragraph?: number;
	    message?: string;
	    part?: string;
	    cell_index?: number;
	    pointer?: string;
	
	    static createFrom(source: any = {}) {
	        return new Locator(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.page = source["page"];
	        this.page_to = source["page_to"];
	        this.page_label = source["page_label"];
	        this.rects = this.convertValues(source["rects"], Rect);
	        this.slide = source["slide"];
	        this.sheet = source["sheet"];
	        this.cell = source["cell"];
	        this.line_from = source["line_from"];
	        this.line_to = source["line_to"];
	        this.section = source["section"];
	        this.paragraph = source["paragraph"];
	        this.message = source["message"];
	        this.part = source["part"];
	        this.cell_index = source["cell_index"];
	        this.pointer = source["pointer"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Source {
	    n: number;
	    chunk: number;
	    document: number;
	    path: string;
	    title: string;
	    heading: string;
	    locator: Locator;
	
	    static createFrom(source: any = {}) {
	        return new Source(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.n = source["n"];
	        this.chunk = source["chunk"];
	        this.document = source["document"];
	        this.path = source["path"];
	        this.title = source["title"];
	        this.heading = source["heading"];
	        this.locator = this.convertValues(source["locator"], Locator);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Done {
	    conversation?: number;
	    turn?: number;
	    answer: string;
	    citations: Citation[];
	    sources: Source[];
	    answer_check: AnswerCheck;
	    usage: Usage;
	    latency_ms: Latency;
	    tokens_per_second?: number;
	    seed?: number;
	    threads?: number;
	    mode: string;
	    continued: boolean;
	    quotes?: string;
	
	    static createFrom(source: any = {}) {
	        return new Done(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.conversation = source["conversation"];
	        this.turn = source["turn"];
	        this.answer = source["answer"];
	        this.citations = this.convertValues(source["citations"], Citation);
	        this.sources = this.convertValues(source["sources"], Source);
	        this.answer_check = this.convertValues(source["answer_check"], AnswerCheck);
	        this.usage = this.convertValues(source["usage"], Usage);
	        this.latency_ms = this.convertValues(source["latency_ms"], Latency);
	        this.tokens_per_second = source["tokens_per_second"];
	        this.seed = source["seed"];
	        this.threads = source["threads"];
	        this.mode = source["mode"];
	        this.continued = source["continued"];
	        this.quotes = source["quotes"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Filter {
	    field: string;
	    op: string;
	    value: string[];
	    owner: string;
	
	    static createFrom(source: any = {}) {
	        return new Filter(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.field = source["field"];
	        this.op = source["op"];
	        this.value = source["value"];
	        this.owner = source["owner"];
	    }
	}
	export class Leg {
	    rank: number;
	    score: number;
	
	    static createFrom(source: any = {}) {
	        return new Leg(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.rank = source["rank"];
	        this.score = source["score"];
	    }
	}
	export class Trace {
	    bm25?: Leg;
	    dense?: Leg;
	    fused?: Leg;
	    rerank?: Leg;
	
	    static createFrom(source: any = {}) {
	        return new Trace(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.bm25 = this.convertValues(source["bm25"], Leg);
	        this.dense = this.convertValues(source["dense"], Leg);
	        this.fused = this.convertValues(source["fused"], Leg);
	        this.rerank = this.convertValues(source["rerank"], Leg);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Hit {
	    rank: number;
	    n: number;
	    chunk: number;
	    content_hash: string;
	    document: number;
	    path: string;
	    title: string;
	    heading: string;
	    locator: Locator;
	    text: string;
	    score: number;
	    trace: Trace;
	    owner: string;
	    class: string;
	    pinned: boolean;
	    packing: string;
	    duplicate_of: number;
	    rendered: string;
	    strategy: string;
	    rendered_tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new Hit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.rank = source["rank"];
	        this.n = source["n"];
	        this.chunk = source["chunk"];
	        this.content_hash = source["content_hash"];
	        this.document = source["document"];
	        this.path = source["path"];
	        this.title = source["title"];
	        this.heading = source["heading"];
	        this.locator = this.convertValues(source["locator"], Locator);
	        this.text = source["text"];
	        this.score = source["score"];
	        this.trace = this.convertValues(source["trace"], Trace);
	        this.owner = source["owner"];
	        this.class = source["class"];
	        this.pinned = source["pinned"];
	        this.packing = source["packing"];
	        this.duplicate_of = source["duplicate_of"];
	        this.rendered = source["rendered"];
	        this.strategy = source["strategy"];
	        this.rendered_tokens = source["rendered_tokens"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	
	export class Message {
	    role: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Message(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.text = source["text"];
	    }
	}
	export class Step {
	    n: number;
	    tool: string;
	    arguments: number[];
	    hits: number;
	    repeated_of?: number;
	
	    static createFrom(source: any = {}) {
	        return new Step(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.n = source["n"];
	        this.tool = source["tool"];
	        this.arguments = source["arguments"];
	        this.hits = source["hits"];
	        this.repeated_of = source["repeated_of"];
	    }
	}
	export class Prepared {
	    Engine: string;
	    Status: string;
	    Reason: string;
	    OriginalQuery: string;
	    SearchQuery: string;
	    SearchQueries: string[];
	    RerankQuery: string;
	    QueryVector: number[];
	    LatencyMS: number;
	    HistoryMessagesUsed: number;
	    Alpha?: number;
	    ModelCalls: number;
	    AddedWords: string[];
	    Filters: Filter[];
	    Warnings: string[];
	    Detail: string;
	    Steps: Step[];
	    Ended: string;
	    AskUser: string;
	
	    static createFrom(source: any = {}) {
	        return new Prepared(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.Engine = source["Engine"];
	        this.Status = source["Status"];
	        this.Reason = source["Reason"];
	        this.OriginalQuery = source["OriginalQuery"];
	        this.SearchQuery = source["SearchQuery"];
	        this.SearchQueries = source["SearchQueries"];
	        this.RerankQuery = source["RerankQuery"];
	        this.QueryVector = source["QueryVector"];
	        this.LatencyMS = source["LatencyMS"];
	        this.HistoryMessagesUsed = source["HistoryMessagesUsed"];
	        this.Alpha = source["Alpha"];
	        this.ModelCalls = source["ModelCalls"];
	        this.AddedWords = source["AddedWords"];
	        this.Filters = this.convertValues(source["Filters"], Filter);
	        this.Warnings = source["Warnings"];
	        this.Detail = source["Detail"];
	        this.Steps = this.convertValues(source["Steps"], Step);
	        this.Ended = source["Ended"];
	        this.AskUser = source["AskUser"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Retrieval {
	    hits: Hit[];
	    budget_tokens: number;
	    packed_tokens: number;
	    floor: number;
	    restricted_count: number;
	    notes: string[];
	
	    static createFrom(source: any = {}) {
	        return new Retrieval(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.hits = this.convertValues(source["hits"], Hit);
	        this.budget_tokens = source["budget_tokens"];
	        this.packed_tokens = source["packed_tokens"];
	        this.floor = source["floor"];
	        this.restricted_count = source["restricted_count"];
	        this.notes = source["notes"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Scope {
	    collections: string[];
	    path_under: string;
	    types: string[];
	    documents: number[];
	
	    static createFrom(source: any = {}) {
	        return new Scope(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.collections = source["collections"];
	        this.path_under = source["path_under"];
	        this.types = source["types"];
	        this.documents = source["documents"];
	    }
	}
	
	
	

}

