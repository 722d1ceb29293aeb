"""What modules call things that have another name elsewhere, in a shell or another language: data only."""

from __future__ import annotations

_WORDS: dict[str, str] = {
    "json": "parse=loads decode=loads stringify=dumps encode=dumps serialize=dumps read=load write=dump",
    "os.path": "filename=basename file_name=basename name=basename directory=dirname folder=dirname parent=dirname"
    " extension=splitext ext=splitext size=getsize absolute=abspath is_file=isfile is_dir=isdir concat=join",
    "os": "ls=listdir dir=listdir list=listdir mv=rename move=rename rm=remove delete=remove cd=chdir pwd=getcwd"
    " cwd=getcwd current_dir=getcwd env=environ mkdirs=makedirs cpus=cpu_count",
    "shutil": "cp=copy mv=move rm=rmtree remove=rmtree zip=make_archive",
    "re": "replace=sub substitute=sub gsub=sub find=search contains=search test=search find_all=findall"
    " match_all=findall matchall=findall",
    "time": "now=time wait=sleep delay=sleep pause=sleep clock=perf_counter timer=perf_counter",
    "random": "rand=random int=randint integer=randint pick=choice select=choice float=random shuffled=shuffle",
    "statistics": "average=mean avg=mean std=stdev sd=stdev var=variance",
    "itertools": "concat=chain flatten=chain cartesian=product pairs=pairwise window=pairwise group_by=groupby",
    "collections": "count=Counter counts=Counter queue=deque DefaultDict=defaultdict",
    "copy": "clone=copy deep_copy=deepcopy",
    "math": "inverse_sin=asin arcsin=asin arccos=acos arctan=atan sign=copysign ln=log modulo=fmod",
    "csv": "read=reader write=writer",
    "matplotlib.pyplot": "image=imshow histogram=hist barplot=bar line=plot scatterplot=scatter hbar=barh"
    " save=savefig save_fig=savefig set_title=title set_xlabel=xlabel set_ylabel=ylabel set_xlim=xlim"
    " set_ylim=ylim heatmap=imshow piechart=pie box=boxplot",
    "numpy": "avg=average rand=random ln=log length=size concat=concatenate",
    "pandas": "readcsv=read_csv load_csv=read_csv read_xlsx=read_excel load_excel=read_excel open_csv=read_csv"
    " dataframe=DataFrame data_frame=DataFrame frame=DataFrame today=Timestamp datetime=to_datetime",
}
_SAME = {"posixpath": "os.path", "ntpath": "os.path"}


def word_of(module: str, wanted: str) -> str:
    """What a module calls what is asked of it; empty where that is not known."""
    words = _WORDS.get(_SAME.get(module, module), "")
    return next((meant for word, _, meant in (one.partition("=") for one in words.split()) if word == wanted), "")
